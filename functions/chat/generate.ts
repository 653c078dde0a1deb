import { maxReplyCharacters } from '#shared/limits.ts'
import { head } from '#shared/text-head.ts'
import type { PendingCall } from '../runs/run.ts'
import { callDecided, callTools, toolsOf, type Calling } from './call-tools.ts'
import { longResults } from './long-results.ts'
import { faults, ModelFault } from './model-faults.ts'
import type { Model, ModelMessage, ModelTool } from './model.ts'
import { asModelTool, isTooLong } from './tool-calls.ts'

/** After this many rounds of tool calls the model has to answer with what it has. */
const maxRounds = 8

export interface GenerateInput extends Omit<Calling, 'results'> {
  model: Model
  /** instructions and conversation */
  messages: readonly ModelMessage[]
  /** calls that the user has answered, when a waiting reply goes on */
  decided?: readonly PendingCall[]
  /** `progress` holds the beginning of the reply, and its text goes on where it ends */
  continues?: boolean
  /** the question, where it is still on its way into the table: the model is asked once it is there */
  stored?: Promise<unknown>
}

export type Outcome =
  { status: 'done' } | { status: 'incomplete' } | { status: 'waiting'; pending: PendingCall[] }

/** Too long for one row: ends the model call. */
class ReplyTooLong extends Error {}

/** One answer of the model, its text sent on as it comes. @param open the text part was begun before */
async function modelRound(input: GenerateInput, tools: ModelTool[], textId: string, open: boolean) {
  const { model, messages, progress, log, signal } = input
  const tooLong = new AbortController()
  const onText = (delta: string) => {
    progress.firstTokenAtMs ??= Date.now()
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

/**
 * Writes a reply: asks the model, runs the tools it calls, and asks again, until it answers without calls.
 * @param given `progress` and `log` grow while it works, whatever the end
 * @throws ModelFault, or the reason of an aborted signal
 */
export async function generate(given: GenerateInput): Promise<Outcome> {
  const input: GenerateInput & Calling = { ...given, results: longResults() }
  const { progress, log, decided = [], continues = false } = input
  const again = await callDecided(input, decided)
  if (again.length > 0) return { status: 'waiting', pending: again }
  await input.stored
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
    progress.firstTokenAtMs ??= Date.now()
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
        function: { name: call.name, arguments: isTooLong(call) ? '{}' : call.arguments },
      })),
    })
    const pending = await callTools(input, toolCalls)
    if (pending.length > 0) return { status: 'waiting', pending }
  }
}
