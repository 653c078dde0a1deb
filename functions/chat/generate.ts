import type { ToolCall } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import { maxReplyCharacters } from '#shared/limits.ts'
import type { ReplyLog } from '../runs/reply-log.ts'
import { approvalGoodForMs, type PendingCall } from '../runs/run.ts'
import { longResults } from './long-results.ts'
import { faults, ModelFault } from './model-faults.ts'
import type { Model, ModelMessage, ModelTool, ModelToolCall } from './model.ts'
import { fingerprintOf } from '../tools/fingerprint.ts'
import { isGrantGone, type Tool } from '../tools/tool.ts'
import {
  activityOf,
  asModelTool,
  failed,
  prepare,
  runTool,
  type PreparedCall,
  type ToolOutcome,
} from './tool-calls.ts'

/** After this many rounds of tool calls the model has to answer with what it has. */
const maxRounds = 8
/** How often a model may make one and the same call in a reply. */
const maxSameCalls = 3
const deniedByUser = 'The user denied this call.'

/** By what a call was allowed: it only reads, the user said yes to it or to its tool, or not at all. */
type Allowed = 'reading' | 'approved' | 'always' | 'denied'

/** What a reply consists of so far; kept by the caller, so that it survives a stop or a fault. */
export interface Progress {
  content: string
  toolCalls: ToolCall[]
  /** images made for this reply */
  attachments: Attachment[]
  /** the model's own record of its rounds: its messages, and what the tools answered */
  rounds: ModelMessage[]
  inputTokens: number
  outputTokens: number
}

export const emptyProgress = (): Progress => ({
  content: '',
  toolCalls: [],
  attachments: [],
  rounds: [],
  inputTokens: 0,
  outputTokens: 0,
})

export interface GenerateInput {
  model: Model
  tools: readonly Tool[]
  /** instructions and conversation */
  messages: readonly ModelMessage[]
  progress: Progress
  /** calls that the user has answered, when a waiting reply goes on */
  decided?: readonly PendingCall[]
  /** whether the user has allowed a tool that writes for good */
  isAllowed?: ((tool: Tool) => boolean) | undefined
  /** false: there is no run that could wait for the user, so what would have to be asked is not done */
  mayAsk?: boolean
  /** told of every call that was made, or denied */
  onCall?: ((call: PreparedCall, outcome: ToolOutcome, allowed: Allowed) => void) | undefined
  /** `progress` holds the beginning of the reply, and its text goes on where it ends */
  continues?: boolean
  log: ReplyLog
  signal: AbortSignal
}

/** The input of one invocation, with the results it has come by. */
interface Generating extends GenerateInput {
  results: ReturnType<typeof longResults>
}

const toolsOf = ({ tools, results }: Generating) => [...tools, ...results.tools()]

export type Outcome =
  { status: 'done' } | { status: 'incomplete' } | { status: 'waiting'; pending: PendingCall[] }

/** Too long for one row: ends the model call. */
class ReplyTooLong extends Error {}

/** The first so many UTF-16 units of a text, fewer by one where that would cut a letter in two. */
const head = (text: string, length: number) =>
  text.length <= length ? text : text.slice(0, Math.max(0, length)).replace(/[\ud800-\udbff]$/, '')

/** Asks for the rest of a reply whose beginning the model is shown as its own last message. */
const goOnRequest =
  'Your last message was cut off. Go on exactly where it ended, in the middle of a word if need be: repeat nothing, introduce nothing.'

/** What a reply goes on from: an incomplete one, or nothing. */
export function progressFrom(
  partial: { content: string; tool_calls?: ToolCall[]; attachments?: Attachment[] } | undefined,
): { progress: Progress; continues: boolean } {
  if (!partial) return { progress: emptyProgress(), continues: false }
  const { content, tool_calls = [], attachments = [] } = partial
  const rounds: ModelMessage[] = [
    { role: 'assistant', content },
    { role: 'user', content: goOnRequest },
  ]
  const begun = { content, toolCalls: [...tool_calls], attachments: [...attachments], rounds }
  return { progress: { ...emptyProgress(), ...begun }, continues: true }
}

/** One answer of the model, its text sent on as it comes. @param open the text part was begun before */
async function modelRound(input: GenerateInput, tools: ModelTool[], textId: string, open: boolean) {
  const { model, messages, progress, log, signal } = input
  const tooLong = new AbortController()
  const onText = (delta: string) => {
    if (!open) {
      open = true
      if (progress.content !== '') progress.content += '\n\n'
      log.push({ type: 'text-start', id: textId })
    }
    const text = head(delta, maxReplyCharacters - progress.content.length)
    progress.content += text
    log.push({ type: 'text-delta', id: textId, delta: text })
    if (text.length < delta.length) tooLong.abort(new ReplyTooLong('the reply is too long'))
  }
  try {
    return await model.complete({
      messages: [...messages, ...progress.rounds],
      tools,
      signal: AbortSignal.any([signal, tooLong.signal]),
      onText,
    })
  } finally {
    if (open) log.push({ type: 'text-end', id: textId })
  }
}

function announce(log: ReplyLog, call: ModelToolCall, outcome: ToolOutcome): void {
  if (outcome.success) log.push({ type: 'tool-output-available', toolCallId: call.id, output: outcome.data })
  else log.push({ type: 'tool-output-error', toolCallId: call.id, errorText: outcome.error })
}

/** What became of a call, told to the reader, the model and the ledger. */
function settle(input: Generating, prepared: PreparedCall, outcome: ToolOutcome, allowed: Allowed): void {
  const { call, tool, input: parameters } = prepared
  if (allowed === 'denied') input.log.push({ type: 'tool-output-denied', toolCallId: call.id })
  else announce(input.log, call, outcome)
  const content = input.results.shown(call.id, outcome.forModel)
  input.progress.rounds.push({ role: 'tool', tool_call_id: call.id, content })
  input.progress.toolCalls.push({
    tool: call.name,
    action: tool?.title ?? call.name,
    ...(tool?.of && { integration: tool.of.name }),
    parameters,
    result: outcome.success
      ? { success: true, data: outcome.data }
      : { success: false, error: outcome.error },
  })
  // what could not be called was not: the ledger tells what was done, and what was denied
  if (prepared.problem === undefined) input.onCall?.(prepared, outcome, allowed)
}

const questionOf = ({ call, tool, input }: PreparedCall, kind: PendingCall['kind']): PendingCall => ({
  callId: call.id,
  kind,
  tool: call.name,
  title: tool?.title ?? call.name,
  ...(tool?.of && { of: { ...tool.of } }),
  fingerprint: tool ? fingerprintOf(tool) : '',
  arguments: JSON.stringify(input),
  askedAtMs: Date.now(),
})

/** A question for the user; where nobody can wait for the answer, the call is not made. */
function ask(input: Generating, prepared: PreparedCall, kind: PendingCall['kind']): PendingCall[] {
  if (input.mayAsk !== false) return [questionOf(prepared, kind)]
  const missing = kind === 'reconnect' ? 'connect it again' : 'allow it'
  settle(input, prepared, failed(`Not done: the user has to ${missing}, in a chat of the page.`), 'denied')
  return []
}

/** Runs calls side by side. @returns the questions for those that need their integration connected again */
async function runAll(
  input: Generating,
  calls: readonly { prepared: PreparedCall; allowed: Allowed }[],
): Promise<PendingCall[]> {
  const outcomes = await Promise.all(
    calls.map(async ({ prepared }) => {
      try {
        return await runTool(prepared, input.signal)
      } catch (error) {
        if (isGrantGone(error)) return error
        throw error
      }
    }),
  )
  input.signal.throwIfAborted()
  return calls.flatMap(({ prepared, allowed }, index) => {
    const outcome = outcomes[index]
    if (isGrantGone(outcome)) return ask(input, prepared, 'reconnect')
    if (outcome) settle(input, prepared, outcome, allowed)
    return []
  })
}

/** Starts the calls of a round; those that need the user come back as questions. */
async function callTools(input: Generating, calls: readonly ModelToolCall[]): Promise<PendingCall[]> {
  const { log, isAllowed } = input
  const tools = toolsOf(input)
  const prepared = calls.map((call) => repeatedTooOften(input, prepare(tools, call)))
  for (const one of prepared)
    log.push({
      type: 'tool-input-available',
      toolCallId: one.call.id,
      toolName: one.call.name,
      input: one.input,
      providerMetadata: { juno: activityOf(one) },
    })
  const asks = ({ tool, problem }: PreparedCall) =>
    tool?.writes === true && problem === undefined && !isAllowed?.(tool)
  const free = prepared.filter((one) => !asks(one))
  const reconnects = await runAll(
    input,
    free.map((one) => ({ prepared: one, allowed: one.tool?.writes ? 'always' : 'reading' })),
  )
  const questions = prepared.filter(asks).flatMap((one) => ask(input, one, 'approval'))
  for (const { callId } of questions)
    log.push({ type: 'tool-approval-request', approvalId: callId, toolCallId: callId })
  return [...questions, ...reconnects]
}

/** A model that makes the same call again and again gets no further by it. */
function repeatedTooOften({ progress }: GenerateInput, prepared: PreparedCall): PreparedCall {
  const same = JSON.stringify([prepared.call.name, prepared.input])
  const before = progress.toolCalls.filter(
    ({ tool, parameters }) => JSON.stringify([tool, parameters]) === same,
  )
  if (before.length < maxSameCalls) return prepared
  const problem = `You have made this very call ${before.length} times. Answer with what you have.`
  return { ...prepared, problem }
}

/** The calls the user has decided about: what was allowed runs now, with exactly the arguments that were shown. */
async function callDecided(input: Generating, decided: readonly PendingCall[]): Promise<PendingCall[]> {
  const granted: { prepared: PreparedCall; allowed: Allowed }[] = []
  const again: PendingCall[] = []
  for (const question of decided) {
    const { callId, tool: name, arguments: text, kind } = question
    const prepared = prepare(input.tools, { id: callId, name, arguments: text })
    const deny = (reason: string) => settle(input, prepared, failed(reason), 'denied')
    if (question.decision !== 'approved')
      deny(kind === 'reconnect' ? 'The user did not connect it again.' : deniedByUser)
    else if (prepared.tool && fingerprintOf(prepared.tool) !== question.fingerprint)
      again.push(questionOf(prepared, kind))
    else if (kind === 'reconnect' && prepared.tool?.writes && !input.isAllowed?.(prepared.tool))
      // to connect is no yes to what is then sent
      again.push(questionOf(prepared, 'approval'))
    else if (Date.now() - (question.decidedAtMs ?? 0) > approvalGoodForMs)
      deny('The approval came too long ago. Ask again.')
    else granted.push({ prepared, allowed: kind === 'approval' ? 'approved' : 'reading' })
  }
  return [...again, ...(await runAll(input, granted))]
}

/**
 * Writes a reply: asks the model, runs the tools it calls, and asks again, until it answers without calls.
 * @param given `progress` and `log` grow while it works, whatever the end
 * @throws ModelFault, or the reason of an aborted signal
 */
export async function generate(given: GenerateInput): Promise<Outcome> {
  const input: Generating = { ...given, results: longResults() }
  const { progress, log, decided = [], continues = false } = input
  const again = await callDecided(input, decided)
  if (again.length > 0) return { status: 'waiting', pending: again }
  const first = progress.rounds.filter(({ role }) => role === 'assistant').length
  if (continues) {
    // whoever reads the reply gets it whole
    log.push({ type: 'text-start', id: `text-${first}` })
    log.push({ type: 'text-delta', id: `text-${first}`, delta: progress.content })
  }
  for (let round = first; ; round += 1) {
    const offers = round < maxRounds ? toolsOf(input).map(asModelTool) : []
    let answer
    try {
      answer = await modelRound(input, offers, `text-${round}`, continues && round === first)
    } catch (error) {
      if (error instanceof ReplyTooLong) return { status: 'incomplete' }
      throw error
    }
    progress.inputTokens += answer.inputTokens
    progress.outputTokens += answer.outputTokens
    const { toolCalls } = answer
    if (toolCalls.length === 0 || offers.length === 0) {
      if (progress.content.trim() === '' && progress.attachments.length === 0)
        throw new ModelFault(faults.empty, 'no text and no call')
      return { status: answer.truncated ? 'incomplete' : 'done' }
    }
    progress.rounds.push({
      role: 'assistant',
      content: answer.text || null,
      tool_calls: toolCalls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      })),
    })
    const pending = await callTools(input, toolCalls)
    if (pending.length > 0) return { status: 'waiting', pending }
  }
}
