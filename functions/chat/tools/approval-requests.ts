import type { ReconnectReason } from '#shared/reconnect-reason.ts'
import type { PendingCall } from '../../conversations/store/run.ts'
import { describeTool, fingerprintTool } from '../../tools/calls/tool.ts'
import { recordResult } from './call-results.ts'
import { toFailure, type PreparedCall } from './run-tool.ts'
import type { ActiveReply } from '../reply.ts'

/** Builds the stored request of a call that waits, with the arguments that will run. */
export const buildApprovalRequest = (
  { call, tool, input, history }: PreparedCall,
  kind: PendingCall['kind'],
  reconnect?: ReconnectReason,
): PendingCall => ({
  callId: call.id,
  kind,
  tool: call.name,
  title: tool?.title ?? call.name,
  ...(tool?.integration && { of: { ...tool.integration } }),
  ...(kind === 'approval' && tool && describeTool(tool)),
  ...(reconnect && { reconnect }),
  fingerprint: tool ? fingerprintTool(tool) : '',
  arguments: JSON.stringify(input),
  ...(history && { history }),
  askedAtMs: Date.now(),
})

const missingSteps = {
  approval: 'allow it',
  reconnect: 'connect it again',
  elicitation: 'answer what its server asks',
} as const satisfies Record<Exclude<PendingCall['kind'], 'task'>, string>

/** Asks the user. If no run can wait for it, the call is not made or, if its server asks, not finished. */
export function askUser(
  input: ActiveReply,
  prepared: PreparedCall,
  kind: keyof typeof missingSteps,
  request: PendingCall,
): PendingCall[] {
  if (input.canAskUser !== false) return [request]
  const state = kind === 'elicitation' ? 'Not finished' : 'Not done'
  const failure = toFailure(`${state}: the user has to ${missingSteps[kind]}, in a chat of the page.`)
  recordResult(input, prepared, failure, 'denied')
  return []
}
