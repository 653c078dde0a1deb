import type { ToolCall } from '#shared/contracts/chat.ts'
import { maxCallsPerRound } from '#shared/limits.ts'
import type { ReconnectReason } from '#shared/reconnect-reason.ts'
import { deniedByUser, notReconnected } from '#shared/denied-calls.ts'
import { storable, storableFields } from '../../platform/dynamodb/storable.ts'
import type { ReplyLog } from '../../runs/reply-log.ts'
import { approvalValidMs, type PendingCall } from '../../runs/run.ts'
import { fingerprintOf } from '../../tools/fingerprint.ts'
import { isGrantGone, type ServerHints, type Tool } from '../../tools/tool.ts'
import type { resultPager } from './result-pager.ts'
import type { ModelMessage, ModelToolCall } from '../model/model.ts'
import type { Progress } from '../progress.ts'
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

/** By what a call was allowed: it only reads, the user said yes to it or to its tool, or not at all. */
type Permission = 'reading' | 'approved' | 'always' | 'denied'

/** What the calls of a reply are made with. */
export interface ToolCallContext {
  tools: readonly Tool[]
  progress: Progress
  /** whether the user has allowed a tool that writes for good */
  isAllowed?: ((tool: Tool) => boolean) | undefined
  /** false: there is no run that could wait for the user, so what would have to be asked is not done */
  canAskUser?: boolean
  /** told of every call that was made, or denied */
  onCall?: ((call: PreparedCall, outcome: ToolOutcome, allowed: Permission) => void) | undefined
  /** the results that are too long to be given at once */
  results: ReturnType<typeof resultPager>
  events: ReplyLog
  signal: AbortSignal
}

export const listTools = ({ tools, results }: ToolCallContext) => [...tools, ...results.tools()]

/** What of one argument or result a conversation keeps, and of all of a reply: they share a row with its text. */
const maxStoredCharacters = 20_000
const maxStoredBytes = 90_000

/** How much of the next one is kept; a letter has three bytes at most. */
function getRemainingCharacters({ toolCalls }: Progress): number {
  const used = Buffer.byteLength(JSON.stringify(toolCalls))
  return Math.max(0, Math.min(maxStoredCharacters, Math.floor((maxStoredBytes - used) / 6)))
}

/** Records a call, in the order in which the model made the calls of its answer, whichever of them ends first. */
function insertResult(
  { rounds, toolCalls }: Progress,
  content: string,
  id: string,
  toolCall: ToolCall,
): void {
  const assistantIndex = rounds.findLastIndex(({ role }) => role === 'assistant')
  const assistantMessage = rounds[assistantIndex]
  const order =
    assistantMessage?.role === 'assistant' ? (assistantMessage.tool_calls ?? []).map((call) => call.id) : []
  const isLater = (one: ModelMessage) =>
    one.role === 'tool' && order.indexOf(one.tool_call_id) > order.indexOf(id)
  const later = rounds.slice(assistantIndex + 1).filter(isLater).length
  rounds.splice(rounds.length - later, 0, { role: 'tool', tool_call_id: id, content })
  toolCalls.splice(toolCalls.length - later, 0, toolCall)
}

/** Tells the reader, the model and the ledger what became of a call. */
function recordResult(
  input: ToolCallContext,
  prepared: PreparedCall,
  outcome: ToolOutcome,
  allowed: Permission,
): void {
  const { call, tool } = prepared
  const most = getRemainingCharacters(input.progress)
  const result = outcome.success
    ? { success: true, data: storable(outcome.data, most) }
    : { success: false, error: outcome.error }
  if (allowed === 'denied') input.events.push({ type: 'tool-output-denied', toolCallId: call.id })
  else if ('data' in result)
    input.events.push({ type: 'tool-output-available', toolCallId: call.id, output: result.data })
  else input.events.push({ type: 'tool-output-error', toolCallId: call.id, errorText: result.error })
  insertResult(input.progress, input.results.firstPage(call.id, outcome.forModel), call.id, {
    tool: call.name,
    action: tool?.title ?? call.name,
    ...(tool?.of && { integration: tool.of.name }),
    parameters: storableFields(prepared.input, most),
    result,
  })
  // what could not be called was not: the ledger tells what was done, and what was denied
  if (prepared.problem === undefined) input.onCall?.(prepared, outcome, allowed)
}

/** What an approval shows of a server's description of its tool. */
const maxDescriptionCharacters = 400

const buildApprovalRequest = (
  { call, tool, input }: PreparedCall,
  kind: PendingCall['kind'],
  reconnect?: ReconnectReason,
): PendingCall => ({
  callId: call.id,
  kind,
  tool: call.name,
  title: tool?.title ?? call.name,
  ...(tool?.of && { of: { ...tool.of } }),
  ...(kind === 'approval' && tool?.serverHints && describeTool(tool.serverHints)),
  ...(reconnect && { reconnect }),
  fingerprint: tool ? fingerprintOf(tool) : '',
  arguments: JSON.stringify(input),
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

/** A question for the user; where nobody can wait for the answer, the call is not made. */
function requestApproval(
  input: ToolCallContext,
  prepared: PreparedCall,
  kind: PendingCall['kind'],
  reconnect?: ReconnectReason,
): PendingCall[] {
  if (input.canAskUser !== false) return [buildApprovalRequest(prepared, kind, reconnect)]
  const missing = kind === 'reconnect' ? 'connect it again' : 'allow it'
  recordResult(
    input,
    prepared,
    toFailure(`Not done: the user has to ${missing}, in a chat of the page.`),
    'denied',
  )
  return []
}

/** What is recorded of a call that the end of its reply cut off. */
const buildInterruptedResult = (allowed: Permission) =>
  toFailure(`Stopped before it answered.${allowed === 'reading' ? '' : ' It may have been done.'}`)

/**
 * Runs calls side by side, and settles each as soon as it ends: what was done is on record even if the reply is stopped meanwhile.
 * @returns the questions for those that need their integration connected again
 * @throws the signal's reason
 */
async function runAll(
  input: ToolCallContext,
  calls: readonly { prepared: PreparedCall; allowed: Permission }[],
): Promise<PendingCall[]> {
  const { signal } = input
  const reconnects = await Promise.all(
    calls.map(async ({ prepared, allowed }) => {
      try {
        const outcome = await runTool(prepared, signal)
        const isCut = signal.aborted && !outcome.success && prepared.problem === undefined
        recordResult(input, prepared, isCut ? buildInterruptedResult(allowed) : outcome, allowed)
      } catch (error) {
        if (!isGrantGone(error)) throw error
        return { prepared, reason: error.reason }
      }
      return undefined
    }),
  )
  signal.throwIfAborted()
  return reconnects.flatMap((one) =>
    one ? requestApproval(input, one.prepared, 'reconnect', one.reason) : [],
  )
}

/** Starts the calls of a round; those that need the user come back as questions. */
export async function startCalls(
  input: ToolCallContext,
  calls: readonly ModelToolCall[],
): Promise<PendingCall[]> {
  const { events, isAllowed } = input
  const tools = listTools(input)
  const prepared = calls.map((call, index) =>
    index < maxCallsPerRound
      ? rejectRepeatedCall(input, prepareCall(tools, call))
      : rejectExtraCall(tools, call),
  )
  for (const one of prepared)
    events.push({
      type: 'tool-input-available',
      toolCallId: one.call.id,
      toolName: one.call.name,
      input: storableFields(one.input, maxStoredCharacters),
      providerMetadata: { juno: toActivity(one) },
    })
  const needsApproval = ({ tool, problem }: PreparedCall) =>
    tool?.writes === true && problem === undefined && !isAllowed?.(tool)
  const allowedCalls = prepared.filter((one) => !needsApproval(one))
  const reconnects = await runAll(
    input,
    allowedCalls.map((one) => ({ prepared: one, allowed: one.tool?.writes ? 'always' : 'reading' })),
  )
  const approvalRequests = prepared
    .filter(needsApproval)
    .flatMap((one) =>
      one.tool?.reconnect
        ? requestApproval(input, one, 'reconnect', one.tool.reconnect)
        : requestApproval(input, one, 'approval'),
    )
  for (const { callId } of approvalRequests.filter(({ kind }) => kind === 'approval'))
    events.push({ type: 'tool-approval-request', approvalId: callId, toolCallId: callId })
  return [...approvalRequests, ...reconnects]
}

/** Not made, and told to the model, which may call again with its next step. */
function rejectExtraCall(tools: readonly Tool[], call: ModelToolCall): PreparedCall {
  const problem = `Too many calls in one step. Only the first ${maxCallsPerRound} were made. Call the others in your next step.`
  return { ...prepareCall(tools, call), problem }
}

/** A model that makes the same call again and again gets no further by it. */
function rejectRepeatedCall({ progress }: ToolCallContext, prepared: PreparedCall): PreparedCall {
  const same = JSON.stringify([prepared.call.name, storableFields(prepared.input, maxStoredCharacters)])
  const before = progress.toolCalls.filter(
    ({ tool, parameters }) => JSON.stringify([tool, parameters]) === same,
  )
  if (before.length < maxSameCalls) return prepared
  const problem = `You have made this very call ${before.length} times. Answer with what you have.`
  return { ...prepared, problem }
}

/** The calls the user has decided about: what was allowed runs now, with exactly the arguments that were shown. */
export async function runDecidedCalls(
  input: ToolCallContext,
  decided: readonly PendingCall[],
): Promise<PendingCall[]> {
  const granted: { prepared: PreparedCall; allowed: Permission }[] = []
  const requestedAgain: PendingCall[] = []
  for (const request of decided) {
    const { callId, tool: name, arguments: text, kind } = request
    const prepared = prepareCall(input.tools, { id: callId, name, arguments: text })
    const deny = (reason: string) => recordResult(input, prepared, toFailure(reason), 'denied')
    if (request.decision !== 'approved') deny(kind === 'reconnect' ? notReconnected : deniedByUser)
    else if (prepared.tool && fingerprintOf(prepared.tool) !== request.fingerprint)
      // also of what was only connected again: it is another tool now
      requestedAgain.push(buildApprovalRequest(prepared, 'approval'))
    else if (kind === 'reconnect' && prepared.tool?.writes && !input.isAllowed?.(prepared.tool))
      // to connect is no yes to what is then sent
      requestedAgain.push(buildApprovalRequest(prepared, 'approval'))
    else if (Date.now() - (request.decidedAtMs ?? 0) > approvalValidMs)
      deny('The approval came too long ago. Ask again.')
    else granted.push({ prepared, allowed: kind === 'approval' ? 'approved' : 'reading' })
  }
  return [...requestedAgain, ...(await runAll(input, granted))]
}
