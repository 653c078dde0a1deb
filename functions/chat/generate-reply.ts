import { replyNotices } from '#shared/chat-texts.ts'
import { maxReplyCharacters } from '#shared/limits.ts'
import { truncate } from '#shared/truncate.ts'
import type { PendingCall } from '../runs/run.ts'
import { callDecided, callTools, toolsOf, type Calling } from './tools/call-tools.ts'
import { DailyBudgetUsedUp } from './errors.ts'
import { longResults } from './tools/result-pager.ts'
import { faults, isUnbilled, ModelFault } from './model/model-errors.ts'
import type { Model, ModelMessage, ModelRound, ModelTool, Omission } from './model/model.ts'
import type { Spending } from './reply-budget.ts'
import { estimatePromptTokens, estimateTextTokens } from './model/token-estimate.ts'
import { asModelTool, isTooLong } from './tools/run-tool.ts'

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
  /** what the reply may spend; without it nothing is counted */
  spending?: Pick<Spending, 'reserve' | 'spend'>
}

export type Outcome =
  { status: 'done' } | { status: 'incomplete' } | { status: 'waiting'; pending: PendingCall[] }

/** Too long for one row: ends the model call. */
class ReplyTooLong extends Error {}

/** One answer of the model, its text sent on as it comes. @param open the text part was begun before */
async function modelRound(input: GenerateInput, tools: ModelTool[], textId: string, open: boolean) {
  const { model, progress, log, signal } = input
  const messages = [...input.messages, ...progress.rounds]
  const tooLong = new AbortController()
  const onText = (delta: string) => {
    progress.firstTokenAtMs ??= Date.now()
    if (!open) {
      open = true
      if (progress.content !== '') progress.content += '\n\n'
      log.push({ type: 'text-start', id: textId })
    }
    const text = truncate(delta, maxReplyCharacters - progress.content.length)
    progress.content += text
    log.push({ type: 'text-delta', id: textId, delta: text })
    if (text.length < delta.length) tooLong.abort(new ReplyTooLong('the reply is too long'))
  }
  const before = progress.content.length
  let sentTokens: number | undefined
  try {
    const promptTokens = input.spending ? estimatePromptTokens(messages, tools) : 0
    await input.spending?.reserve(promptTokens)
    sentTokens = promptTokens
    const answer = await model.complete({
      messages,
      tools,
      signal: AbortSignal.any([signal, tooLong.signal]),
      onText,
      onOmit: (omission) => addNotice(input, omission),
    })
    input.spending?.spend(usedTokens(answer, promptTokens))
    return answer
  } catch (error) {
    // a request that was stopped or cut tells no usage, and is paid for all the same
    if (sentTokens !== undefined && !isUnbilled(error))
      input.spending?.spend(sentTokens + estimateTextTokens(progress.content.slice(before)))
    throw error
  } finally {
    if (open) log.push({ type: 'text-end', id: textId })
  }
}

/** Tells the user once what the reply goes without. */
function addNotice({ progress, log }: GenerateInput, omission: Omission) {
  const notice = replyNotices[omission]
  if (progress.notices.some(({ code }) => code === notice.code)) return
  progress.notices.push(notice)
  log.push({ type: 'data-notice', data: notice })
}

/** As the model's server counted; where it says nothing, as much as was sent and came back. */
function usedTokens({ inputTokens, outputTokens, text, toolCalls }: ModelRound, promptTokens: number) {
  const written = () => text + toolCalls.map((call) => call.name + call.arguments).join('')
  return inputTokens + outputTokens || promptTokens + estimateTextTokens(written())
}

/** Ends a reply that may not ask the model again: what it has so far stays, and says why there is no more. */
function endWithin({ log, progress }: GenerateInput, { sentence }: DailyBudgetUsedUp): Outcome {
  const id = 'text-budget'
  const text = `${progress.content === '' ? '' : '\n\n'}${sentence}`
  progress.content += text
  log.push({ type: 'text-start', id })
  log.push({ type: 'text-delta', id, delta: sentence })
  log.push({ type: 'text-end', id })
  return { status: 'incomplete' }
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
      // the first request of a reply is refused as a whole
      if (error instanceof DailyBudgetUsedUp && round > 0) return endWithin(input, error)
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
