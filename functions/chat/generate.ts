import type { ToolCall } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import { maxReplyCharacters } from '#shared/limits.ts'
import type { ReplyLog } from '../runs/reply-log.ts'
import type { PendingCall } from '../runs/run.ts'
import { faults, ModelFault } from './model-faults.ts'
import type { Model, ModelMessage, ModelTool, ModelToolCall } from './model.ts'
import { asModelTool, offered, runTool, type ToolOutcome } from './tool-calls.ts'
import type { Tool } from './tools.ts'

/** After this many rounds of tool calls the model has to answer with what it has. */
const maxRounds = 8

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
  /** `progress` holds the beginning of the reply, and its text goes on where it ends */
  continues?: boolean
  log: ReplyLog
  signal: AbortSignal
}

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

function record(
  progress: Progress,
  call: ModelToolCall,
  input: Record<string, unknown>,
  outcome: ToolOutcome,
) {
  progress.rounds.push({ role: 'tool', tool_call_id: call.id, content: outcome.forModel })
  progress.toolCalls.push({
    tool: call.name,
    action: call.name,
    parameters: input,
    result: outcome.success
      ? { success: true, data: outcome.data }
      : { success: false, error: outcome.error },
  })
}

/** Runs the calls side by side; those that need the user's word come back as questions. */
async function callTools(input: GenerateInput, calls: readonly ModelToolCall[]): Promise<PendingCall[]> {
  const { tools, progress, log, signal } = input
  const prepared = calls.map((call) => ({ call, ...offered(tools, call) }))
  for (const { call, input: toolInput } of prepared)
    log.push({
      type: 'tool-input-available',
      toolCallId: call.id,
      toolName: call.name,
      input: toolInput,
    })
  const questions = prepared.filter(({ tool }) => tool?.needsApproval)
  const free = prepared.filter((one) => !questions.includes(one))
  const outcomes = await Promise.all(free.map((one) => runTool(one, signal)))
  signal.throwIfAborted()
  free.forEach(({ call, input: toolInput }, index) => {
    const outcome = outcomes[index]
    if (!outcome) return
    announce(log, call, outcome)
    record(progress, call, toolInput, outcome)
  })
  return questions.map(({ call }) => {
    log.push({ type: 'tool-approval-request', approvalId: call.id, toolCallId: call.id })
    return { callId: call.id, tool: call.name, arguments: call.arguments, askedAtMs: Date.now() }
  })
}

/** The calls the user has decided about: what was allowed runs now, with exactly the arguments that were shown. */
async function callDecided(input: GenerateInput, decided: readonly PendingCall[]): Promise<void> {
  const { tools, progress, log, signal } = input
  await Promise.all(
    decided.map(async ({ callId, tool: name, arguments: text, decision }) => {
      const call = { id: callId, name, arguments: text }
      const prepared = { call, ...offered(tools, call) }
      if (decision !== 'approved') {
        log.push({ type: 'tool-output-denied', toolCallId: callId })
        const error = 'The user denied this call.'
        record(progress, call, prepared.input, { success: false, error, forModel: error })
        return
      }
      const outcome = await runTool(prepared, signal)
      announce(log, call, outcome)
      record(progress, call, prepared.input, outcome)
    }),
  )
  signal.throwIfAborted()
}

/**
 * Writes a reply: asks the model, runs the tools it calls, and asks again, until it answers without calls.
 * @param input `progress` and `log` grow while it works, whatever the end
 * @throws ModelFault, or the reason of an aborted signal
 */
export async function generate(input: GenerateInput): Promise<Outcome> {
  const { tools, progress, log, decided = [], continues = false } = input
  if (decided.length > 0) await callDecided(input, decided)
  const first = progress.rounds.filter(({ role }) => role === 'assistant').length
  if (continues) {
    // whoever reads the reply gets it whole
    log.push({ type: 'text-start', id: `text-${first}` })
    log.push({ type: 'text-delta', id: `text-${first}`, delta: progress.content })
  }
  for (let round = first; ; round += 1) {
    const offers = round < maxRounds ? tools.map(asModelTool) : []
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
