import { sayTool } from '#shared/sentences/tools.ts'
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

/** Asks the user. If no run can wait for it, the call is not made or, if its server asks, not finished. */
export function askUser(
  input: ActiveReply,
  prepared: PreparedCall,
  kind: Exclude<PendingCall['kind'], 'task'>,
  request: PendingCall,
): PendingCall[] {
  if (input.canAskUser !== false) return [request]
  recordResult(input, prepared, toFailure(sayTool(`call_not_made.${kind}`)), 'denied')
  return []
}
