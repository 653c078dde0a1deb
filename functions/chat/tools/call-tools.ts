import { sayTool } from '#shared/sentences/tools.ts'
import { maxCallsPerRound } from '../../platform/limits.ts'
import { isCallEnded } from '#shared/reply/reply-state.ts'
import { isReconnectRequired } from '../../providers/reconnect-required.ts'
import type { PendingCall } from '../../conversations/store/run.ts'
import { InputRequired, TaskUnfinished } from '../../tools/calls/unfinished-calls.ts'
import type { Tool } from '../../tools/calls/tool.ts'
import type { ModelToolCall } from '../model/model.ts'
import { askUser, buildApprovalRequest } from './approval-requests.ts'
import { recordResult, recordRichResult, toCallEvent, type Permission } from './call-results.ts'
import { isDeferred, unwrapCall, withParameters } from './deferred-tools.ts'
import { findInputLimitProblem, toElicitationRequest } from './elicited-calls.ts'
import { prepareCall, runTool, toFailure, type PreparedCall } from './run-tool.ts'
import { stoppedCall, toTaskRequest, unfinishedTask, wasSent } from './task-calls.ts'
import type { ActiveReply } from '../reply.ts'

/** How often a model may make one and the same call in a reply. */
const maxSameCalls = 3

/** The tools whose definitions the model gets. */
export const listOffered = ({ offered, resultPager }: ActiveReply) =>
  offered.length > 0 ? [resultPager.tool, ...offered] : []

/** The tools that a call may name. */
const listCallable = (input: ActiveReply) => [...listOffered(input), ...input.tools]

/**
 * Asks the user for what a call lacks: a connection, permissions, or what its server asks for. More permissions are asked for once. A call
 * whose server needs longer waits for it.
 * @throws the error if it is another one
 */
async function askForMissing(
  input: ActiveReply,
  [prepared, permission]: readonly [PreparedCall, Permission],
  error: unknown,
): Promise<PendingCall[]> {
  const { history = {}, tool } = prepared
  if (error instanceof TaskUnfinished) {
    if (input.canAskUser !== false) return [toTaskRequest(buildApprovalRequest(prepared, 'task'), error.task)]
    await tool?.tasks?.cancel(error.task)
    recordResult(input, prepared, toFailure(unfinishedTask), permission)
    return []
  }
  if (error instanceof InputRequired) {
    const { request } = error
    const problem = findInputLimitProblem(prepared)
    // nobody answers: the task would wait until it expires
    if (request.task && (problem !== undefined || input.canAskUser === false))
      await tool?.tasks?.cancel(request.task)
    if (problem === undefined) {
      const approval = toElicitationRequest(buildApprovalRequest(prepared, 'elicitation'), request)
      return askUser(input, prepared, 'elicitation', approval)
    }
    recordResult(input, prepared, toFailure(problem), permission)
    return []
  }
  if (!isReconnectRequired(error)) throw error
  const isStepUp = error.reason?.kind === 'scopes'
  if (isStepUp && history.steppedUp) {
    const sentence = sayTool('call_stopped.same_permissions', { name: error.integration.name })
    recordResult(input, prepared, toFailure(sentence), permission)
    return []
  }
  const steppingUp = isStepUp ? { ...prepared, history: { ...history, steppedUp: true } } : prepared
  const request = buildApprovalRequest(steppingUp, 'reconnect', error.reason)
  return askUser(input, prepared, 'reconnect', request)
}

/** Result of a call that was interrupted by the end of its reply. */
const buildInterruptedResult = (permission: Permission) =>
  toFailure(sayTool(permission === 'reading' ? 'call_stopped.unanswered' : 'call_stopped.unanswered_write'))

/**
 * Runs calls with their permissions in parallel and records each as soon as it ends, even if the reply is stopped meanwhile.
 * @returns requests to the user for calls that lack something
 * @throws the signal's reason
 */
export async function runAll(
  input: ActiveReply,
  calls: readonly (readonly [PreparedCall, Permission])[],
): Promise<PendingCall[]> {
  const { signal } = input
  const requests = await Promise.all(
    calls.map(async (call) => {
      const [prepared, permission] = call
      try {
        const outcome = await runTool(prepared, signal)
        const isCut = signal.aborted && !outcome.success && prepared.problem === undefined
        await recordRichResult(
          input,
          prepared,
          isCut ? buildInterruptedResult(permission) : outcome,
          permission,
        )
        return []
      } catch (error) {
        return askForMissing(input, call, error)
      }
    }),
  )
  if (!signal.aborted) return requests.flat()
  // no run waits for these calls: their tasks end, and the ledger has what was sent
  const ended = calls.map(async ([prepared, permission], index) => {
    const request = requests[index]?.[0]
    if (!request || !wasSent(request)) return
    if (request.history?.task) await prepared.tool?.tasks?.cancel(request.history.task)
    recordResult(input, prepared, toFailure(stoppedCall), permission)
  })
  await Promise.all(ended)
  throw signal.reason
}

/** Runs the calls of a round. @returns the approval requests of calls that need the user */
export async function startCalls(
  input: ActiveReply,
  calls: readonly ModelToolCall[],
): Promise<PendingCall[]> {
  const { events, isAllowed } = input
  const tools = listCallable(input)
  const prepared = calls.map((call, index) =>
    index < maxCallsPerRound
      ? rejectRepeatedCall(input, prepareModelCall(input, tools, call))
      : rejectExtraCall(prepareModelCall(input, tools, call)),
  )
  for (const one of prepared) events.push(toCallEvent(one))
  announceAllowed(input, prepared)
  const needsApproval = ({ tool, input: args, problem }: PreparedCall) =>
    tool?.writes === true && problem === undefined && !isAllowed(tool, args)
  const allowedCalls = prepared.filter((one) => !needsApproval(one))
  const requests = await runAll(
    input,
    allowedCalls.map((one) => [one, one.tool?.writes ? 'always' : 'reading']),
  )
  const approvalRequests = prepared.filter(needsApproval).flatMap((one) => {
    const reason = one.tool?.reconnectReason
    const kind = reason ? 'reconnect' : 'approval'
    const untrusted = one.tool && kind === 'approval' ? (input.listUntrusted?.(one.tool) ?? []) : []
    const request = buildApprovalRequest(one, kind, reason)
    return askUser(input, one, kind, { ...request, ...(untrusted.length > 0 && { untrusted }) })
  })
  for (const { callId } of approvalRequests.filter(({ kind }) => kind === 'approval'))
    events.push({ type: 'tool-approval-request', approvalId: callId, toolCallId: callId })
  return [...approvalRequests, ...requests]
}

/** Calls that the user always allows have the same events as those that were approved. */
function announceAllowed({ events, isAllowed }: ActiveReply, calls: readonly PreparedCall[]): void {
  for (const { call, tool, input: args, problem } of calls) {
    if (!tool?.writes || problem !== undefined || !isAllowed(tool, args)) continue
    const approvalId = call.id
    events.push({ type: 'tool-approval-request', approvalId, toolCallId: call.id, isAutomatic: true })
    events.push({ type: 'tool-approval-response', approvalId, approved: true })
  }
}

/** Prepares a call as the model wrote it. A tool that it found by searching is called through another tool. */
const prepareModelCall = ({ offered }: ActiveReply, tools: readonly Tool[], call: ModelToolCall) =>
  isDeferred(offered) ? withParameters(prepareCall(tools, unwrapCall(call))) : prepareCall(tools, call)

/** Rejects a call beyond the limit; the model may make it in its next step. */
function rejectExtraCall(prepared: PreparedCall): PreparedCall {
  const problem = sayTool('call_invalid.too_many', { max: maxCallsPerRound })
  return { ...prepared, problem }
}

/** Rejects a call that the model has already repeated too often. */
function rejectRepeatedCall({ events }: ActiveReply, prepared: PreparedCall): PreparedCall {
  const { toolName, input } = toCallEvent(prepared)
  const key = JSON.stringify([toolName, input])
  const earlierCalls = events.reply.toolCalls.filter(
    (call) => isCallEnded(call) && JSON.stringify([call.name, call.input]) === key,
  )
  if (earlierCalls.length < maxSameCalls) return prepared
  const problem = sayTool('call_invalid.repeated', { times: earlierCalls.length })
  return { ...prepared, problem }
}
