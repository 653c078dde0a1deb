import type { ToolCall } from '#shared/contracts/chat.ts'
import { maxCallsPerRound } from '#shared/limits.ts'
import type { ReconnectReason } from '#shared/reconnect-reason.ts'
import { deniedByUser, notReconnected } from '#shared/chat-texts.ts'
import { toStorable, toStorableFields } from '../../platform/dynamodb/storable.ts'
import type { ReplyLog } from '../../runs/reply-log.ts'
import { approvalGoodForMs, type PendingCall } from '../../runs/run.ts'
import { fingerprintTool } from '../../tools/tool.ts'
import { isReconnectRequired } from '../../providers/errors.ts'
import type { ServerHints, Tool } from '../../tools/tool.ts'
import type { longResults } from './result-pager.ts'
import type { ModelMessage, ModelToolCall } from '../model/model.ts'
import type { Progress } from '../progress.ts'
import { activityOf, failed, prepare, runTool, type PreparedCall, type ToolOutcome } from './run-tool.ts'

/** How often a model may make one and the same call in a reply. */
const maxSameCalls = 3

/** By what a call was allowed: it only reads, the user said yes to it or to its tool, or not at all. */
type Allowed = 'reading' | 'approved' | 'always' | 'denied'

/** What the calls of a reply are made with. */
export interface Calling {
  tools: readonly Tool[]
  progress: Progress
  /** whether the user has allowed a tool that writes for good */
  isAllowed?: ((tool: Tool) => boolean) | undefined
  /** false: there is no run that could wait for the user, so what would have to be asked is not done */
  mayAsk?: boolean
  /** told of every call that was made, or denied */
  onCall?: ((call: PreparedCall, outcome: ToolOutcome, allowed: Allowed) => void) | undefined
  /** the results that are too long to be given at once */
  results: ReturnType<typeof longResults>
  log: ReplyLog
  signal: AbortSignal
}

export const toolsOf = ({ tools, results }: Calling) => [...tools, ...results.tools()]

/** What of one argument or result a conversation keeps, and of all of a reply: they share a row with its text. */
const keptCharacters = 20_000
const keptBytes = 90_000

/** How much of the next one is kept; a letter has three bytes at most. */
function room({ toolCalls }: Progress): number {
  const used = Buffer.byteLength(JSON.stringify(toolCalls))
  return Math.max(0, Math.min(keptCharacters, Math.floor((keptBytes - used) / 6)))
}

/** Records a call, in the order in which the model made the calls of its answer, whichever of them ends first. */
function record({ rounds, toolCalls }: Progress, content: string, id: string, toolCall: ToolCall): void {
  const answer = rounds.findLastIndex(({ role }) => role === 'assistant')
  const asked = rounds[answer]
  const order = asked?.role === 'assistant' ? (asked.tool_calls ?? []).map((call) => call.id) : []
  const isLater = (one: ModelMessage) =>
    one.role === 'tool' && order.indexOf(one.tool_call_id) > order.indexOf(id)
  const later = rounds.slice(answer + 1).filter(isLater).length
  rounds.splice(rounds.length - later, 0, { role: 'tool', tool_call_id: id, content })
  toolCalls.splice(toolCalls.length - later, 0, toolCall)
}

/** Tells the reader, the model and the ledger what became of a call. */
function settle(input: Calling, prepared: PreparedCall, outcome: ToolOutcome, allowed: Allowed): void {
  const { call, tool } = prepared
  const most = room(input.progress)
  const result = outcome.success
    ? { success: true, data: toStorable(outcome.data, most) }
    : { success: false, error: outcome.error }
  if (allowed === 'denied') input.log.push({ type: 'tool-output-denied', toolCallId: call.id })
  else if ('data' in result)
    input.log.push({ type: 'tool-output-available', toolCallId: call.id, output: result.data })
  else input.log.push({ type: 'tool-output-error', toolCallId: call.id, errorText: result.error })
  record(input.progress, input.results.shown(call.id, outcome.forModel), call.id, {
    tool: call.name,
    action: tool?.title ?? call.name,
    ...(tool?.owner && { integration: tool.owner.name }),
    parameters: toStorableFields(prepared.input, most),
    result,
  })
  // what could not be called was not: the ledger tells what was done, and what was denied
  if (prepared.problem === undefined) input.onCall?.(prepared, outcome, allowed)
}

/** What an approval shows of a server's description of its tool. */
const maxDescriptionCharacters = 400

const questionOf = (
  { call, tool, input }: PreparedCall,
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
function ask(
  input: Calling,
  prepared: PreparedCall,
  kind: PendingCall['kind'],
  reconnect?: ReconnectReason,
): PendingCall[] {
  if (input.mayAsk !== false) return [questionOf(prepared, kind, reconnect)]
  const missing = kind === 'reconnect' ? 'connect it again' : 'allow it'
  settle(input, prepared, failed(`Not done: the user has to ${missing}, in a chat of the page.`), 'denied')
  return []
}

/** What is recorded of a call that the end of its reply cut off. */
const cutOff = (allowed: Allowed) =>
  failed(`Stopped before it answered.${allowed === 'reading' ? '' : ' It may have been done.'}`)

/**
 * Runs calls side by side, and settles each as soon as it ends: what was done is on record even if the reply is stopped meanwhile.
 * @returns the questions for those that need their integration connected again
 * @throws the signal's reason
 */
async function runAll(
  input: Calling,
  calls: readonly { prepared: PreparedCall; allowed: Allowed }[],
): Promise<PendingCall[]> {
  const { signal } = input
  const reconnects = await Promise.all(
    calls.map(async ({ prepared, allowed }) => {
      try {
        const outcome = await runTool(prepared, signal)
        const isCut = signal.aborted && !outcome.success && prepared.problem === undefined
        settle(input, prepared, isCut ? cutOff(allowed) : outcome, allowed)
      } catch (error) {
        if (!isReconnectRequired(error)) throw error
        return { prepared, reason: error.reason }
      }
      return undefined
    }),
  )
  signal.throwIfAborted()
  return reconnects.flatMap((one) => (one ? ask(input, one.prepared, 'reconnect', one.reason) : []))
}

/** Starts the calls of a round; those that need the user come back as questions. */
export async function callTools(input: Calling, calls: readonly ModelToolCall[]): Promise<PendingCall[]> {
  const { log, isAllowed } = input
  const tools = toolsOf(input)
  const prepared = calls.map((call, index) =>
    index < maxCallsPerRound ? repeatedTooOften(input, prepare(tools, call)) : oneTooMany(tools, call),
  )
  for (const one of prepared)
    log.push({
      type: 'tool-input-available',
      toolCallId: one.call.id,
      toolName: one.call.name,
      input: toStorableFields(one.input, keptCharacters),
      providerMetadata: { juno: activityOf(one) },
    })
  const asks = ({ tool, problem }: PreparedCall) =>
    tool?.writes === true && problem === undefined && !isAllowed?.(tool)
  const free = prepared.filter((one) => !asks(one))
  const reconnects = await runAll(
    input,
    free.map((one) => ({ prepared: one, allowed: one.tool?.writes ? 'always' : 'reading' })),
  )
  const questions = prepared
    .filter(asks)
    .flatMap((one) =>
      one.tool?.reconnect ? ask(input, one, 'reconnect', one.tool.reconnect) : ask(input, one, 'approval'),
    )
  for (const { callId } of questions.filter(({ kind }) => kind === 'approval'))
    log.push({ type: 'tool-approval-request', approvalId: callId, toolCallId: callId })
  return [...questions, ...reconnects]
}

/** Not made, and told to the model, which may call again with its next step. */
function oneTooMany(tools: readonly Tool[], call: ModelToolCall): PreparedCall {
  const problem = `Too many calls in one step. Only the first ${maxCallsPerRound} were made. Call the others in your next step.`
  return { ...prepare(tools, call), problem }
}

/** A model that makes the same call again and again gets no further by it. */
function repeatedTooOften({ progress }: Calling, prepared: PreparedCall): PreparedCall {
  const same = JSON.stringify([prepared.call.name, toStorableFields(prepared.input, keptCharacters)])
  const before = progress.toolCalls.filter(
    ({ tool, parameters }) => JSON.stringify([tool, parameters]) === same,
  )
  if (before.length < maxSameCalls) return prepared
  const problem = `You have made this very call ${before.length} times. Answer with what you have.`
  return { ...prepared, problem }
}

/** The calls the user has decided about: what was allowed runs now, with exactly the arguments that were shown. */
export async function callDecided(input: Calling, decided: readonly PendingCall[]): Promise<PendingCall[]> {
  const granted: { prepared: PreparedCall; allowed: Allowed }[] = []
  const again: PendingCall[] = []
  for (const question of decided) {
    const { callId, tool: name, arguments: text, kind } = question
    const prepared = prepare(input.tools, { id: callId, name, arguments: text })
    const deny = (reason: string) => settle(input, prepared, failed(reason), 'denied')
    if (question.decision !== 'approved') deny(kind === 'reconnect' ? notReconnected : deniedByUser)
    else if (prepared.tool && fingerprintTool(prepared.tool) !== question.fingerprint)
      // also of what was only connected again: it is another tool now
      again.push(questionOf(prepared, 'approval'))
    else if (kind === 'reconnect' && prepared.tool?.writes && !input.isAllowed?.(prepared.tool))
      // to connect is no yes to what is then sent
      again.push(questionOf(prepared, 'approval'))
    else if (Date.now() - (question.decidedAtMs ?? 0) > approvalGoodForMs)
      deny('The approval came too long ago. Ask again.')
    else granted.push({ prepared, allowed: kind === 'approval' ? 'approved' : 'reading' })
  }
  return [...again, ...(await runAll(input, granted))]
}
