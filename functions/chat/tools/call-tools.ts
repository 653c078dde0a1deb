import type { Sentence } from '#shared/sentences/sentence.ts'
import { sayTool } from '#shared/sentences/tools.ts'
import { maxCallsPerRound } from '../../platform/limits.ts'
import { isCallEnded } from '#shared/reply/reply-state.ts'
import { isReconnectRequired } from '../../providers/reconnect-required.ts'
import type { PendingCall } from '../../conversations/store/run.ts'
import { InputRequired, TaskUnfinished } from '../../tools/calls/unfinished-calls.ts'
import type { Tool } from '../../tools/calls/tool.ts'
import type { ModelToolCall } from '../../models/model.ts'
import { settleCall, toCallEvent, type CallEnd, type Permission } from './call-results.ts'
import { isDeferred, unwrapCall, withParameters } from './deferred-tools.ts'
import {
  buildApprovalRequest,
  findInputLimitProblem,
  stoppedCall,
  toElicitationRequest,
  toTaskRequest,
  unfinishedTask,
  wasSent,
} from './pending-calls.ts'
import { completeCall, prepareCall, runTool, toFailure, type PreparedCall } from './run-tool.ts'
import type { ActiveReply } from '../reply.ts'

/** How often a model may make one and the same call in a reply. */
const maxSameCalls = 3

/** The tools whose definitions the model gets. */
export const listOffered = ({ offered, resultPager }: ActiveReply) =>
  offered.length > 0 ? [resultPager.tool, ...offered] : []

/** The tools that a call may name. */
const listCallable = (input: ActiveReply) => [...listOffered(input), ...input.tools]

/** How a call goes on: it is settled, or it runs with its permission. */
export type CallStep = CallEnd | { prepared: PreparedCall; permission: Permission }

/**
 * What a call that was not finished comes to: a request for what it lacks (a connection, permissions, or what its server asks for), or to
 * wait for its server, which needs longer. More permissions are asked for once.
 * @throws the error if it is another one
 */
async function endUnfinished(
  { canAskUser }: ActiveReply,
  prepared: PreparedCall,
  permission: Permission,
  error: unknown,
): Promise<CallEnd> {
  const { history = {}, tool } = prepared
  const stop = (problem: Sentence): CallEnd => ({ prepared, outcome: toFailure(problem), permission })
  if (error instanceof TaskUnfinished) {
    if (canAskUser !== false)
      return { prepared, request: toTaskRequest(buildApprovalRequest(prepared, 'task'), error.task) }
    await tool?.tasks?.cancel(error.task)
    return stop(unfinishedTask)
  }
  if (error instanceof InputRequired) {
    const { request } = error
    const problem = findInputLimitProblem(prepared)
    // nobody answers: the task would wait until it expires
    if (request.task && (problem !== undefined || canAskUser === false))
      await tool?.tasks?.cancel(request.task)
    if (problem !== undefined) return stop(problem)
    return {
      prepared,
      request: toElicitationRequest(buildApprovalRequest(prepared, 'elicitation'), request),
    }
  }
  if (!isReconnectRequired(error)) throw error
  const isStepUp = error.reason?.kind === 'scopes'
  if (isStepUp && history.steppedUp)
    return stop(sayTool('call_stopped.same_permissions', { name: error.integration.name }))
  const steppingUp = isStepUp ? { ...prepared, history: { ...history, steppedUp: true } } : prepared
  return { prepared, request: buildApprovalRequest(steppingUp, 'reconnect', error.reason) }
}

/** Runs a call. @returns what it has come to, also if its reply was stopped meanwhile */
async function runCall(input: ActiveReply, prepared: PreparedCall, permission: Permission): Promise<CallEnd> {
  const { signal } = input
  try {
    const outcome = await runTool(prepared, signal)
    const isCut = signal.aborted && !outcome.success && prepared.problem === undefined
    if (!isCut) return { prepared, outcome, permission }
    const reason = permission === 'reading' ? 'call_stopped.unanswered' : 'call_stopped.unanswered_write'
    return { prepared, outcome: toFailure(sayTool(reason)), permission }
  } catch (error) {
    return endUnfinished(input, prepared, permission, error)
  }
}

/**
 * Runs calls in parallel and settles each as soon as it ends, even if the reply is stopped meanwhile.
 * @returns the requests with which the run waits
 * @throws the signal's reason
 */
export async function runSteps(input: ActiveReply, steps: readonly CallStep[]): Promise<PendingCall[]> {
  const { signal } = input
  const settle = async (step: CallStep) => {
    const isEnd = 'request' in step || 'outcome' in step
    const end = isEnd ? step : await runCall(input, step.prepared, step.permission)
    return settleCall(input, end)
  }
  const requests = await Promise.all(steps.map(settle))
  if (!signal.aborted) return requests.flat()
  // no run waits for these calls: their tasks end, and the ledger has what was sent
  const stopped = steps.map(async (step, index) => {
    const request = requests[index]?.[0]
    if (!request || !('permission' in step) || !wasSent(request)) return
    const { prepared, permission } = step
    if (request.history?.task) await prepared.tool?.tasks?.cancel(request.history.task)
    await settleCall(input, { prepared, outcome: toFailure(stoppedCall), permission })
  })
  await Promise.all(stopped)
  throw signal.reason
}

/** Asks the user to approve a call, and names the text of others that may have led to it. */
export function requestApproval(
  { listUntrusted }: Pick<ActiveReply, 'listUntrusted'>,
  prepared: PreparedCall,
): PendingCall {
  const untrusted = (prepared.tool && listUntrusted?.(prepared.tool)) ?? []
  return { ...buildApprovalRequest(prepared, 'approval'), ...(untrusted.length > 0 && { untrusted }) }
}

/** Runs the calls of a round. @returns the approval requests of calls that need the user */
export async function startCalls(
  input: ActiveReply,
  calls: readonly ModelToolCall[],
): Promise<PendingCall[]> {
  const { events, isAllowed } = input
  const tools = listCallable(input)
  const prepared = await Promise.all(
    calls.map(async (call, index) =>
      index < maxCallsPerRound
        ? rejectRepeatedCall(input, await completeCall(prepareModelCall(input, tools, call)))
        : rejectExtraCall(prepareModelCall(input, tools, call)),
    ),
  )
  for (const one of prepared) events.push(toCallEvent(one))
  announceAllowed(input, prepared)
  const needsApproval = ({ tool, input: args, problem }: PreparedCall) =>
    tool !== undefined && (tool.writes || tool.asks) && problem === undefined && !isAllowed(tool, args)
  const asked = prepared.filter(needsApproval).map((one) => {
    const reason = one.tool?.reconnectReason
    const request = reason ? buildApprovalRequest(one, 'reconnect', reason) : requestApproval(input, one)
    return { prepared: one, request }
  })
  const allowed = prepared
    .filter((one) => !needsApproval(one))
    .map((one) => ({ prepared: one, permission: one.tool?.writes ? 'always' : 'reading' }) as const)
  const requests = await runSteps(input, [...asked, ...allowed])
  for (const { callId, kind } of requests)
    if (kind === 'approval')
      events.push({ type: 'tool-approval-request', approvalId: callId, toolCallId: callId })
  return requests
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
