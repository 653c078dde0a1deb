import type { ResultExtras, ToolCall } from '#shared/contracts/chat.ts'
import { maxCallsPerRound } from '#shared/limits.ts'
import type { ReconnectReason } from '#shared/reconnect-reason.ts'
import { deniedByUser, notReconnected } from '#shared/chat-texts.ts'
import { toStorable, toStorableFields } from '../../platform/dynamodb/storable.ts'
import { isReconnectRequired } from '../../providers/reconnect-required.ts'
import { isInputRequired } from '../../tools/input-required.ts'
import { isTaskUnfinished } from '../../tools/task-unfinished.ts'
import type { ReplyLog } from '../../runs/reply-log.ts'
import { approvalValidMs, type CallHistory, type PendingCall } from '../../runs/run.ts'
import { fingerprintTool, type RichContent, type ServerHints, type Tool } from '../../tools/tool.ts'
import { fitRows } from './fit-rows.ts'
import type { SavedFiles, ShowFiles } from './result-files.ts'
import type { resultPager } from './result-pager.ts'
import { isDeferred, unwrapCall, withParameters } from './deferred-tools.ts'
import type { ModelMessage, ModelToolCall, ToolImage } from '../model/model.ts'
import type { Progress } from '../progress.ts'
import { continueWithResponse, findRoundsProblem, storeElicited, toInputRequest } from './elicited-calls.ts'
import {
  cancelledTask,
  findTaskTool,
  hasTaskLapsed,
  lapsedTask,
  lostTask,
  toTaskRequest,
  unfinishedTask,
  waitAgain,
} from './task-calls.ts'
import {
  toActivity,
  toFailure,
  prepareCall,
  runTool,
  type PreparedCall,
  type ToolOutcome,
} from './run-tool.ts'

/** How often a model may make one and the same call in a reply. */
const maxSameCalls = 3

/** Why a call may run: it only reads, or the user approved the call or, for always, its tool. */
type Permission = 'reading' | 'approved' | 'always' | 'denied'

/** Everything that tool calls of one reply share. */
export interface ToolCallContext {
  /** that may be called */
  tools: readonly Tool[]
  /** that the model is offered: the same, or a search for them */
  offered: readonly Tool[]
  progress: Progress
  /** whether the user always allows a tool that writes */
  isAllowed?: ((tool: Tool) => boolean) | undefined
  /** false: no run can wait for the user, so calls that need approval are not made */
  canAskUser?: boolean
  /** whether a connection still exists, though its tools may not be listed right now */
  isConnected?: ((mcpId: string) => boolean) | undefined
  /** called for every call that was made or denied */
  onCall?: ((call: PreparedCall, outcome: ToolOutcome, allowed: Permission) => void) | undefined
  /** shows the files of results in the reply; without it they are left out */
  showFiles?: ShowFiles
  /** pages results that are too long for the model */
  results: ReturnType<typeof resultPager>
  events: ReplyLog
  signal: AbortSignal
}

/** The tools whose definitions the model gets. */
export const listOffered = ({ offered, results }: ToolCallContext) => [...offered, ...results.tools()]

/** The tools that a call may name. */
const listCallable = (input: ToolCallContext) => [...listOffered(input), ...input.tools]

/** Stored size of one argument or result, and of all calls of a reply: they share a row with the reply's text. */
const maxStoredCharacters = 20_000
const maxStoredBytes = 90_000

/** How much of each part of the next call can be stored. A UTF-16 code unit takes at most three bytes in UTF-8. */
function getRemainingCharacters({ toolCalls }: Progress, parts: number): number {
  const used = Buffer.byteLength(JSON.stringify(toolCalls))
  return Math.max(0, Math.min(maxStoredCharacters, Math.floor((maxStoredBytes - used) / (3 * parts))))
}

/** Arguments, result, and what the server was sent. */
const countParts = ({ history }: PreparedCall) => (history?.elicited ? 3 : 2)

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

/** Records a call, in the order in which the model made the calls of its answer, whichever of them ends first. */
function insertResult({ rounds, toolCalls }: Progress, message: ToolMessage, toolCall: ToolCall): void {
  const assistantIndex = rounds.findLastIndex(({ role }) => role === 'assistant')
  const assistantMessage = rounds[assistantIndex]
  const order =
    assistantMessage?.role === 'assistant' ? (assistantMessage.tool_calls ?? []).map((call) => call.id) : []
  const isLater = (one: ModelMessage) =>
    one.role === 'tool' && order.indexOf(one.tool_call_id) > order.indexOf(message.tool_call_id)
  const later = rounds.slice(assistantIndex + 1).filter(isLater).length
  rounds.splice(rounds.length - later, 0, message)
  toolCalls.splice(toolCalls.length - later, 0, toolCall)
}

/** Stored size of the links and notes of a result. */
const maxExtrasCharacters = 8_000

/** Links and notes as they are stored and sent; nothing where there is no room for them. */
function toResultExtras(
  { links, isStructured }: RichContent,
  { notes }: SavedFiles,
  maxCharacters: number,
): ResultExtras {
  const extras = {
    ...(links.length > 0 && { links }),
    ...(notes.length > 0 && { notes }),
    ...(isStructured && { structured: true }),
  }
  return JSON.stringify(extras).length <= Math.min(maxExtrasCharacters, maxCharacters) ? extras : {}
}

const noFiles: SavedFiles = { notes: [], images: [] }

/** Shows what the result has besides its data, then records the call. */
async function recordRichResult(
  input: ToolCallContext,
  prepared: PreparedCall,
  outcome: ToolOutcome,
  allowed: Permission,
): Promise<void> {
  const rich = outcome.success ? outcome.rich : undefined
  if (!outcome.success || !rich) return recordResult(input, prepared, outcome, allowed)
  const { tool } = prepared
  const saved =
    rich.files.length > 0 ? ((await input.showFiles?.(rich.files, tool?.owner)) ?? noFiles) : noFiles
  const most = getRemainingCharacters(input.progress, countParts(prepared) + 1)
  const { data, totalRows } = rich.isStructured ? fitRows(outcome.data, most) : { data: outcome.data }
  const extras = {
    ...toResultExtras(rich, saved, most),
    ...(totalRows !== undefined && { totalRows }),
    ...(tool?.owner && tool.appUri !== undefined && { app: { mcp_id: tool.owner.mcpId } }),
  }
  const toolCallId = prepared.call.id
  if (Object.keys(extras).length > 0)
    input.events.push({ type: 'data-result-extras', data: { toolCallId, ...extras } })
  const isAllShown = input.showFiles && rich.files.length > 0 && saved.notes.length === 0
  const shown = isAllShown ? [allShownNote] : saved.notes
  const forModel = [outcome.forModel, ...shown].join('\n')
  recordResult(input, prepared, { ...outcome, data, forModel }, allowed, { extras, images: saved.images })
}

/** For the model, which otherwise offers to show what is there. */
const allShownNote = '[The user sees the files of this result in the chat.]'

/** Records a call's outcome for the reader, the model and the ledger. */
function recordResult(
  input: ToolCallContext,
  prepared: PreparedCall,
  outcome: ToolOutcome,
  allowed: Permission,
  { extras = {}, images = [] }: { extras?: ResultExtras; images?: ToolImage[] } = {},
): void {
  const { call, tool } = prepared
  const most = getRemainingCharacters(input.progress, countParts(prepared))
  const result = outcome.success
    ? { success: true, data: toStorable(outcome.data, most), ...extras }
    : { success: false, error: outcome.error }
  if (allowed === 'denied') input.events.push({ type: 'tool-output-denied', toolCallId: call.id })
  else if ('data' in result)
    input.events.push({ type: 'tool-output-available', toolCallId: call.id, output: result.data })
  else input.events.push({ type: 'tool-output-error', toolCallId: call.id, errorText: result.error })
  const message: ToolMessage = {
    role: 'tool',
    tool_call_id: call.id,
    content: input.results.firstPage(call.id, outcome.forModel),
    ...(images.length > 0 && { images }),
  }
  insertResult(input.progress, message, {
    tool: call.name,
    action: tool?.title ?? call.name,
    ...(tool?.owner && { integration: tool.owner.name }),
    parameters: toStorableFields(prepared.input, most),
    result,
    ...storeElicited(prepared, most),
  })
  // calls rejected before execution are not in the ledger
  if (prepared.problem === undefined) input.onCall?.(prepared, outcome, allowed)
}

/** Length of the server's tool description in an approval request. */
const maxDescriptionCharacters = 400

const buildApprovalRequest = (
  { call, tool, input, history }: PreparedCall,
  kind: PendingCall['kind'],
  reconnect?: ReconnectReason,
): PendingCall => ({
  callId: call.id,
  kind,
  tool: call.name,
  title: tool?.title ?? call.name,
  ...(tool?.owner && { of: { ...tool.owner } }),
  ...(kind === 'approval' && tool?.serverHints && describeTool(tool.serverHints)),
  ...(reconnect && { reconnect }),
  fingerprint: tool ? fingerprintTool(tool) : '',
  arguments: JSON.stringify(input),
  ...(history && { history }),
  askedAtMs: Date.now(),
})

function describeTool({
  description,
  destructive,
}: ServerHints): Pick<PendingCall, 'description' | 'destructive'> {
  const isCut = description.length > maxDescriptionCharacters
  const shown = isCut ? `${description.slice(0, maxDescriptionCharacters)}...` : description
  return { ...(shown !== '' && { description: shown }), ...(destructive && { destructive }) }
}

const missingSteps = {
  approval: 'allow it',
  reconnect: 'connect it again',
  elicitation: 'answer what its server asks',
} as const satisfies Record<Exclude<PendingCall['kind'], 'task'>, string>

/** Asks the user. If no run can wait for it, the call is not made. */
function askUser(
  input: ToolCallContext,
  prepared: PreparedCall,
  kind: keyof typeof missingSteps,
  request: PendingCall,
): PendingCall[] {
  if (input.canAskUser !== false) return [request]
  const failure = toFailure(`Not done: the user has to ${missingSteps[kind]}, in a chat of the page.`)
  recordResult(input, prepared, failure, 'denied')
  return []
}

/**
 * Asks the user for what a call lacks: a connection, permissions, or what its server asks for. More permissions are asked for once. A call
 * whose server needs longer waits for it.
 * @throws the error if it is another one
 */
async function askForMissing(
  input: ToolCallContext,
  { prepared, allowed }: AllowedCall,
  error: unknown,
): Promise<PendingCall[]> {
  const { history = {}, tool } = prepared
  if (isTaskUnfinished(error)) {
    if (input.canAskUser !== false) return [toTaskRequest(buildApprovalRequest(prepared, 'task'), error.task)]
    await tool?.tasks?.cancel(error.task)
    recordResult(input, prepared, toFailure(unfinishedTask), allowed)
    return []
  }
  if (isInputRequired(error)) {
    const { request } = error
    const problem = findRoundsProblem(prepared)
    // nobody answers: the task would wait until it expires
    if (request.task && (problem !== undefined || input.canAskUser === false))
      await tool?.tasks?.cancel(request.task)
    if (problem === undefined) {
      const question = toInputRequest(buildApprovalRequest(prepared, 'elicitation'), request)
      return askUser(input, prepared, 'elicitation', question)
    }
    recordResult(input, prepared, toFailure(problem), allowed)
    return []
  }
  if (!isReconnectRequired(error)) throw error
  const isStepUp = error.reason?.kind === 'scopes'
  if (isStepUp && history.steppedUp) {
    const sentence = `${error.owner.name} still refuses this call for missing permissions, though the user has connected it again.`
    recordResult(input, prepared, toFailure(sentence), allowed)
    return []
  }
  const steppingUp = isStepUp ? { ...prepared, history: { ...history, steppedUp: true } } : prepared
  const request = buildApprovalRequest(steppingUp, 'reconnect', error.reason)
  return askUser(input, prepared, 'reconnect', request)
}

/** Result of a call that was interrupted by the end of its reply. */
const buildInterruptedResult = (allowed: Permission) =>
  toFailure(`Stopped before it answered.${allowed === 'reading' ? '' : ' It may have been done.'}`)

interface AllowedCall {
  prepared: PreparedCall
  allowed: Permission
}

/**
 * Runs calls in parallel and records each as soon as it ends, even if the reply is stopped meanwhile.
 * @returns requests to the user for calls that lack something
 * @throws the signal's reason
 */
async function runAll(input: ToolCallContext, calls: readonly AllowedCall[]): Promise<PendingCall[]> {
  const { signal } = input
  const requests = await Promise.all(
    calls.map(async (call) => {
      const { prepared, allowed } = call
      try {
        const outcome = await runTool(prepared, signal)
        const isCut = signal.aborted && !outcome.success && prepared.problem === undefined
        await recordRichResult(input, prepared, isCut ? buildInterruptedResult(allowed) : outcome, allowed)
        return []
      } catch (error) {
        return askForMissing(input, call, error)
      }
    }),
  )
  signal.throwIfAborted()
  return requests.flat()
}

/** Runs the calls of a round. @returns the approval requests of calls that need the user */
export async function startCalls(
  input: ToolCallContext,
  calls: readonly ModelToolCall[],
): Promise<PendingCall[]> {
  const { events, isAllowed } = input
  const tools = listCallable(input)
  const prepared = calls.map((call, index) =>
    index < maxCallsPerRound
      ? rejectRepeatedCall(input, prepareModelCall(input, tools, call))
      : rejectExtraCall(prepareModelCall(input, tools, call)),
  )
  for (const one of prepared)
    events.push({
      type: 'tool-input-available',
      toolCallId: one.call.id,
      toolName: one.call.name,
      input: toStorableFields(one.input, maxStoredCharacters),
      providerMetadata: { juno: toActivity(one) },
    })
  announceAllowed(input, prepared)
  const needsApproval = ({ tool, problem }: PreparedCall) =>
    tool?.writes === true && problem === undefined && !isAllowed?.(tool)
  const allowedCalls = prepared.filter((one) => !needsApproval(one))
  const reconnects = await runAll(
    input,
    allowedCalls.map((one) => ({ prepared: one, allowed: one.tool?.writes ? 'always' : 'reading' })),
  )
  const approvalRequests = prepared.filter(needsApproval).flatMap((one) => {
    const reason = one.tool?.reconnect
    const kind = reason ? 'reconnect' : 'approval'
    return askUser(input, one, kind, buildApprovalRequest(one, kind, reason))
  })
  for (const { callId } of approvalRequests.filter(({ kind }) => kind === 'approval'))
    events.push({ type: 'tool-approval-request', approvalId: callId, toolCallId: callId })
  return [...approvalRequests, ...reconnects]
}

/** Calls that the user always allows have the same events as those that were approved. */
function announceAllowed({ events, isAllowed }: ToolCallContext, calls: readonly PreparedCall[]): void {
  for (const { call, tool, problem } of calls) {
    if (!tool?.writes || problem !== undefined || !isAllowed?.(tool)) continue
    const approvalId = call.id
    events.push({ type: 'tool-approval-request', approvalId, toolCallId: call.id, isAutomatic: true })
    events.push({ type: 'tool-approval-response', approvalId, approved: true })
  }
}

/** Prepares a call as the model wrote it. A tool that it found by searching is called through another tool. */
const prepareModelCall = ({ offered }: ToolCallContext, tools: readonly Tool[], call: ModelToolCall) =>
  isDeferred(offered) ? withParameters(prepareCall(tools, unwrapCall(call))) : prepareCall(tools, call)

/** Rejects a call beyond the limit; the model may make it in its next step. */
function rejectExtraCall(prepared: PreparedCall): PreparedCall {
  const problem = `Too many calls in one step. Only the first ${maxCallsPerRound} were made. Call the others in your next step.`
  return { ...prepared, problem }
}

/** Rejects a call that the model has already repeated too often. */
function rejectRepeatedCall({ progress }: ToolCallContext, prepared: PreparedCall): PreparedCall {
  const same = JSON.stringify([prepared.call.name, toStorableFields(prepared.input, maxStoredCharacters)])
  const before = progress.toolCalls.filter(
    ({ tool, parameters }) => JSON.stringify([tool, parameters]) === same,
  )
  if (before.length < maxSameCalls) return prepared
  const problem = `You have made this very call ${before.length} times. Answer with what you have.`
  return { ...prepared, problem }
}

/** Whether the user has approved this very call, a moment ago or before its server asked for input. */
const wasApproved = ({ approvedAtMs, inputResponses }: CallHistory, atMs: number) =>
  inputResponses !== undefined || (approvedAtMs !== undefined && atMs - approvedAtMs <= approvalValidMs)

/**
 * Runs the calls that the user approved, with exactly the arguments that were shown, or continues them: with the user's answers, or with
 * what became of their tasks.
 */
export async function runDecidedCalls(
  input: ToolCallContext,
  decided: readonly PendingCall[],
): Promise<PendingCall[]> {
  const granted: AllowedCall[] = []
  const requestedAgain: PendingCall[] = []
  const nowMs = Date.now()
  for (const request of decided) {
    const { callId, tool: name, arguments: text, kind, history = {}, decidedAtMs = 0 } = request
    const matched = { ...prepareCall(input.tools, { id: callId, name, arguments: text }), history }
    const tool = history.task ? findTaskTool(input.tools, request, matched.tool) : matched.tool
    // a call that has become a task is not made again: its tool may take other arguments by now
    const prepared = tool && history.task ? { ...matched, tool, problem: undefined } : matched
    const deny = (reason: string) => recordResult(input, prepared, toFailure(reason), 'denied')
    const isAllowed = !tool?.writes || input.isAllowed?.(tool) === true
    const permit = (next: CallHistory): AllowedCall => {
      const unasked = tool?.writes ? (isAllowed ? 'always' : 'approved') : 'reading'
      const allowed = next.approvedAtMs === undefined ? unasked : 'approved'
      return { prepared: { ...prepared, history: next }, allowed }
    }
    const grant = (next: CallHistory) => granted.push(permit(next))
    const { of } = request
    const hasChanged = tool !== undefined && fingerprintTool(tool) !== request.fingerprint
    // a declined form goes to its server too; the answers are for the tool as it was
    const isTaskCancelled = kind === 'elicitation' ? hasChanged : request.decision !== 'approved'
    if (history.task && isTaskCancelled) {
      await tool?.tasks?.cancel(history.task)
      const reason = hasTaskLapsed(request, decidedAtMs) ? lapsedTask : cancelledTask
      recordResult(input, prepared, toFailure(reason), permit(history).allowed)
    } else if (history.task && tool) grant(kind === 'elicitation' ? continueWithResponse(request) : history)
    // its result can be fetched later, unless nothing reaches its server any more
    else if (history.task && of && input.isConnected?.(of.mcpId) !== false)
      requestedAgain.push(waitAgain(request, history.task))
    else if (history.task) recordResult(input, prepared, toFailure(lostTask), permit(history).allowed)
    // a declined form goes to its server too, which completes the call
    else if (request.decision !== 'approved' && kind !== 'elicitation')
      deny(kind === 'reconnect' ? notReconnected : deniedByUser)
    else if (hasChanged)
      // the tool has changed: neither the approval nor the answers are for it
      requestedAgain.push(buildApprovalRequest({ ...matched, history: undefined }, 'approval'))
    else if (kind === 'elicitation') grant(continueWithResponse(request))
    else if (kind === 'reconnect' && !isAllowed && !wasApproved(history, nowMs))
      // reconnecting does not approve the write
      requestedAgain.push(buildApprovalRequest(prepared, 'approval'))
    else if (nowMs - decidedAtMs > approvalValidMs) deny('The approval came too long ago. Ask again.')
    else grant(kind === 'approval' ? { ...history, approvedAtMs: decidedAtMs } : history)
  }
  return [...requestedAgain, ...(await runAll(input, granted))]
}
