import type { Sentence } from '#shared/sentences/sentence.ts'
import { sayTool } from '#shared/sentences/tools.ts'
import type { ServerTask } from '../../platform/server-task.ts'
import { approvalValidMs, type CallHistory, type PendingCall } from '../../conversations/store/run.ts'
import { isTaskOver } from '../../tools/calls/unfinished-calls.ts'
import { fingerprintTool, type Tool } from '../../tools/calls/tool.ts'
import { toCallEvent } from './call-results.ts'
import { requestApproval, runSteps, type CallStep } from './call-tools.ts'
import {
  cancelledTask,
  continueWithResponse,
  expiredTask,
  findPermission,
  findTaskTool,
  hasTaskLapsed,
  lapsedTask,
  lostTask,
  waitAgain,
} from './pending-calls.ts'
import { prepareCall, toFailure, type PreparedCall } from './run-tool.ts'
import type { ActiveReply } from '../reply.ts'

/**
 * Runs the calls that the user approved, with exactly the arguments that were shown, or continues them: with the user's answers, or with
 * what became of their tasks.
 * @returns the requests of calls that wait once more
 */
export async function runDecidedCalls(
  input: ActiveReply,
  decided: readonly PendingCall[],
): Promise<PendingCall[]> {
  const nowMs = Date.now()
  const steps: CallStep[] = []
  for (const request of decided) {
    const { callId, tool: name, arguments: text, history = {} } = request
    const prepared = { ...prepareCall(input.tools, { id: callId, name, arguments: text }), history }
    announceChanged(input, prepared)
    const step = history.task
      ? await continueTask(input, request, prepared, history.task)
      : continueCall(input, request, prepared, nowMs)
    if (prepared.tool && 'permission' in step && step.permission === 'approved')
      await input.noteApproved?.(prepared.tool, prepared.input)
    steps.push(step)
  }
  return runSteps(input, steps)
}

/** Readers have the arguments that the model wrote; the user may have changed them. */
function announceChanged(input: ActiveReply, prepared: PreparedCall): void {
  const known = input.events.reply.toolCalls.findLast(({ id }) => id === prepared.call.id)
  const event = toCallEvent(prepared)
  if (JSON.stringify(known?.input) !== JSON.stringify(event.input)) input.events.push(event)
}

/** Continues a call that has not become a task. */
function continueCall(
  input: ActiveReply,
  request: PendingCall,
  prepared: PreparedCall & { history: CallHistory },
  nowMs: number,
): CallStep {
  const { tool, history } = prepared
  const { kind, decision, decidedAtMs = 0 } = request
  const run = (next: CallHistory) => permit(input, prepared, next)
  const deny = (reason: Sentence): CallStep => ({
    prepared,
    outcome: toFailure(reason),
    permission: 'denied',
  })
  const ask = (asked: PreparedCall): CallStep => ({
    prepared,
    request: requestApproval(input, asked),
  })
  // a declined form goes to its server too, which completes the call
  if (decision !== 'approved' && kind !== 'elicitation')
    return deny(sayTool(kind === 'reconnect' ? 'denied.not_reconnected' : 'denied'))
  // neither the approval nor the answers are for the tool as it is now
  if (hasChanged(tool, request)) return ask({ ...prepared, history: undefined })
  if (kind === 'elicitation') return run(continueWithResponse(request))
  const isAllowed = !tool?.writes || input.isAllowed(tool, prepared.input)
  // reconnecting does not approve the write
  if (kind === 'reconnect' && !isAllowed && !wasApproved(history, nowMs)) return ask(prepared)
  if (nowMs - decidedAtMs > approvalValidMs) return deny(sayTool('call_stopped.approval_old'))
  return run(kind === 'approval' ? { ...history, approvedAtMs: decidedAtMs } : history)
}

/** Continues a call that has become a task: it is followed or cancelled, and never made again. */
async function continueTask(
  input: ActiveReply,
  request: PendingCall,
  matched: PreparedCall & { history: CallHistory },
  task: ServerTask,
): Promise<CallStep> {
  const { kind, decision, decidedAtMs = 0, of } = request
  const { history } = matched
  const tool = findTaskTool(input.tools, request, matched.tool)
  // the tool may take other arguments by now
  const prepared = tool ? { ...matched, tool, problem: undefined } : matched
  const end = (reason: Sentence): CallStep => ({
    prepared,
    outcome: toFailure(reason),
    permission: findPermission(input, tool, history, prepared.input),
  })
  // a declined form goes to its server too; the answers are for the tool as it was
  const isCancelled = kind === 'elicitation' ? hasChanged(tool, request) : decision !== 'approved'
  if (isCancelled) {
    await tool?.tasks?.cancel(task)
    return end(hasTaskLapsed(request, decidedAtMs) ? lapsedTask : cancelledTask)
  }
  if (tool) return permit(input, prepared, kind === 'elicitation' ? continueWithResponse(request) : history)
  // its result can be fetched later, unless nothing reaches its server any more
  if (!of || !input.isConnected(of.mcpId)) return end(lostTask)
  return isTaskOver(task, Date.now()) ? end(expiredTask) : { prepared, request: waitAgain(request, task) }
}

const permit = (input: ActiveReply, prepared: PreparedCall, history: CallHistory): CallStep => ({
  prepared: { ...prepared, history },
  permission: findPermission(input, prepared.tool, history, prepared.input),
})

const hasChanged = (tool: Tool | undefined, { fingerprint }: PendingCall) =>
  tool !== undefined && fingerprintTool(tool) !== fingerprint

/** Whether the user has approved this very call, a moment ago or before its server asked for input. */
const wasApproved = ({ approvedAtMs, inputResponses }: CallHistory, atMs: number) =>
  inputResponses !== undefined || (approvedAtMs !== undefined && atMs - approvedAtMs <= approvalValidMs)
