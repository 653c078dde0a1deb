import { replyNotices } from '#shared/chat-texts.ts'
import { maxReplyCharacters } from '#shared/limits.ts'
import { truncate } from '#shared/truncate.ts'
import type { PendingCall } from '../runs/run.ts'
import { runDecidedCalls, startCalls, listTools, type ToolCallContext } from './tools/call-tools.ts'
import { DailyBudgetUsedUp } from './errors.ts'
import { resultPager } from './tools/result-pager.ts'
import { modelErrors, isUnbilled, ModelError } from './model/model-errors.ts'
import type { Model, ModelMessage, ModelRound, ModelTool, Omission } from './model/model.ts'
import type { Spending } from './reply-budget.ts'
import { estimatePromptTokens, estimateTextTokens } from './model/token-estimate.ts'
import { toModelTool, isTooLong } from './tools/run-tool.ts'

/** After this many rounds of tool calls the model has to answer with what it has. */
const maxRounds = 8

export interface GenerateReplyInput extends Omit<ToolCallContext, 'results'> {
  model: Model
  /** how much the model reasons; its server decides without it */
  effort?: string
  /** instructions and conversation */
  messages: readonly ModelMessage[]
  /** calls that the user has answered, when a waiting reply goes on */
  decidedCalls?: readonly PendingCall[]
  /** `progress` holds the beginning of the reply, and its text goes on where it ends */
  continues?: boolean
  /** what the reply may spend; without it nothing is counted */
  spending?: Pick<Spending, 'reserve' | 'spend'>
}

export type GenerateOutcome =
  { status: 'done' } | { status: 'incomplete' } | { status: 'waiting'; pending: PendingCall[] }

/** The reply exceeds what one row can hold; ends the model call. */
class ReplyTooLong extends Error {}

/** One answer of the model, its text sent on as it comes. @param isOpen the text part was begun before */
async function runModelRound(input: GenerateReplyInput, tools: ModelTool[], textId: string, isOpen: boolean) {
  const { model, progress, events, signal } = input
  const messages = [...input.messages, ...progress.rounds]
  const tooLong = new AbortController()
  const onText = (delta: string) => {
    progress.firstTokenAtMs ??= Date.now()
    if (!isOpen) {
      isOpen = true
      if (progress.content !== '') progress.content += '\n\n'
      events.push({ type: 'text-start', id: textId })
    }
    const text = truncate(delta, maxReplyCharacters - progress.content.length)
    progress.content += text
    events.push({ type: 'text-delta', id: textId, delta: text })
    if (text.length < delta.length) tooLong.abort(new ReplyTooLong('the reply is too long'))
  }
  const before = progress.content.length
  let sentTokens: number | undefined
  try {
    const promptTokens = input.spending ? estimatePromptTokens(messages, tools) : 0
    await input.spending?.reserve(promptTokens)
    sentTokens = promptTokens
    const completion = await model.complete({
      messages,
      tools,
      signal: AbortSignal.any([signal, tooLong.signal]),
      ...(input.effort !== undefined && { effort: input.effort }),
      onText,
      onOmit: (omission) => addNotice(input, omission),
    })
    input.spending?.spend(countUsedTokens(completion, promptTokens))
    return completion
  } catch (error) {
    // a request that was stopped or cut off reports no usage, but is billed
    if (sentTokens !== undefined && !isUnbilled(error))
      input.spending?.spend(sentTokens + estimateTextTokens(progress.content.slice(before)))
    throw error
  } finally {
    if (isOpen) events.push({ type: 'text-end', id: textId })
  }
}

/** Notifies the user, once, of what the server did not accept. */
function addNotice({ progress, events }: GenerateReplyInput, omission: Omission) {
  const notice = replyNotices[omission]
  if (progress.notices.some(({ code }) => code === notice.code)) return
  progress.notices.push(notice)
  events.push({ type: 'data-notice', data: notice })
}

/** As the model's server counted; where it says nothing, as much as was sent and came back. */
function countUsedTokens({ inputTokens, outputTokens, text, toolCalls }: ModelRound, promptTokens: number) {
  const written = () => text + toolCalls.map((call) => call.name + call.arguments).join('')
  return inputTokens + outputTokens || promptTokens + estimateTextTokens(written())
}

/** Ends a reply that may not ask the model again: what it has so far stays, and says why there is no more. */
function endForBudget(
  { events, progress }: GenerateReplyInput,
  { sentence }: DailyBudgetUsedUp,
): GenerateOutcome {
  const id = 'text-budget'
  const text = `${progress.content === '' ? '' : '\n\n'}${sentence}`
  progress.content += text
  events.push({ type: 'text-start', id })
  events.push({ type: 'text-delta', id, delta: sentence })
  events.push({ type: 'text-end', id })
  return { status: 'incomplete' }
}

/**
 * Writes a reply: asks the model, runs the tools it calls, and asks again, until it answers without calls.
 * @param given `progress` and `log` grow while it works, whatever the end
 * @throws ModelError, or the reason of an aborted signal
 */
export async function generateReply(given: GenerateReplyInput): Promise<GenerateOutcome> {
  const input: GenerateReplyInput & ToolCallContext = { ...given, results: resultPager() }
  const { progress, events, decidedCalls = [], continues = false } = input
  const requestedAgain = await runDecidedCalls(input, decidedCalls)
  if (requestedAgain.length > 0) return { status: 'waiting', pending: requestedAgain }
  const first = progress.rounds.filter(({ role }) => role === 'assistant').length
  if (continues) {
    // readers get the whole reply, the earlier part included
    events.push({ type: 'text-start', id: `text-${first}` })
    events.push({ type: 'text-delta', id: `text-${first}`, delta: progress.content })
  }
  for (let round = first; ; round += 1) {
    const offeredTools = round < maxRounds ? listTools(input).map(toModelTool) : []
    let completion
    try {
      completion = await runModelRound(input, offeredTools, `text-${round}`, continues && round === first)
    } catch (error) {
      if (error instanceof ReplyTooLong) return { status: 'incomplete' }
      // the first request of a reply is refused as a whole
      if (error instanceof DailyBudgetUsedUp && round > 0) return endForBudget(input, error)
      throw error
    }
    progress.firstTokenAtMs ??= Date.now()
    progress.inputTokens += completion.inputTokens
    progress.outputTokens += completion.outputTokens
    const { toolCalls } = completion
    if (toolCalls.length === 0 || offeredTools.length === 0) {
      if (progress.content.trim() === '' && progress.attachments.length === 0)
        throw new ModelError(modelErrors.empty, 'no text and no call')
      return { status: completion.truncated ? 'incomplete' : 'done' }
    }
    progress.rounds.push({
      role: 'assistant',
      content: completion.text || null,
      tool_calls: toolCalls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: isTooLong(call) ? '{}' : call.arguments },
      })),
    })
    const pending = await startCalls(input, toolCalls)
    if (pending.length > 0) return { status: 'waiting', pending }
  }
}
