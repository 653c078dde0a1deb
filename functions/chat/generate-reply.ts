import { joinSentences } from '#shared/sentences/to-sentence.ts'
import type { IncompleteReason, ReplyNotice, Usage } from '#shared/contracts/chat.ts'
import { replyNotices, toolsLeftOut } from '#shared/chat-texts.ts'
import type { PendingCall } from '../conversations/store/run.ts'
import type { Tool } from '../tools/calls/tool.ts'
import { listOffered, startCalls } from './tools/call-tools.ts'
import { runDecidedCalls } from './tools/decided-calls.ts'
import { offerTools } from './tools/deferred-tools.ts'
import { BudgetUsedUp } from './errors.ts'
import { modelErrors, isUnbilled, ModelError } from './model/model-errors.ts'
import type { ModelMessage, ModelRound, ModelToolCall, Omission } from './model/model.ts'
import { describeShown } from './prompt/prompt.ts'
import { addNotice, countRounds } from './progress.ts'
import type { ActiveReply } from './reply.ts'
import { estimatePromptTokens, estimateTextTokens } from './model/token-estimate.ts'
import { roundWriter } from './round-writer.ts'
import { maxWebSearches } from '../platform/limits.ts'
import { toModelTool, isTooLong } from './tools/run-tool.ts'
import { addUsage, priceTokens } from './usage.ts'
import { noUsage, toUsage } from '../conversations/turns/stored-reply.ts'

/** After this many rounds of tool calls the model has to answer with what it has. */
const maxRounds = 8

export type GenerateOutcome =
  | { status: 'done' }
  | { status: 'incomplete'; reason?: IncompleteReason | undefined }
  | { status: 'waiting'; pending: PendingCall[] }

/** The reply exceeds what one row can hold (`length`), or searches too often; ends the model call. */
class ReplyTooLong extends Error {
  readonly reason: IncompleteReason | undefined

  constructor(message: string, reason?: IncompleteReason) {
    super(message)
    this.reason = reason
  }
}

/** Requests one answer of the model and forwards it as it arrives. @param isOpen whether its text part has already begun */
async function runModelRound(
  input: ActiveReply,
  offeredTools: readonly Tool[],
  { round, isOpen, isLast }: { round: number; isOpen: boolean; isLast: boolean },
) {
  const { model, progress, events, signal } = input
  const messages = [...input.messages, ...progress.roundMessages]
  const tools = offeredTools.map(toModelTool)
  const tooLong = new AbortController()
  const onTooLong = () => tooLong.abort(new ReplyTooLong('the reply is too long', 'length'))
  const writer = roundWriter({ progress, events, tools: offeredTools, round, isOpen, onTooLong })
  const before = countWritten(input)
  const shownBefore = events.reply.attachments.length
  // a server may not know the limit
  const searchesLeft = Math.max(0, maxWebSearches - before.searches)
  let sentTokens: number | undefined
  try {
    const promptTokens = estimatePromptTokens(messages, tools)
    await input.spending.reserve(promptTokens, input.price, input.mayBillSearches ? searchesLeft : 0)
    sentTokens = promptTokens
    const { onText, onTextWasReasoning, onReasoning, onToolInput, onSource } = writer
    const images: string[] = []
    const completion = await model.complete({
      messages,
      tools,
      mayCall: !isLast,
      signal: AbortSignal.any([signal, tooLong.signal]),
      ...(input.effort !== undefined && { effort: input.effort }),
      onText,
      onTextWasReasoning,
      onImage: (url) => images.push(url),
      onReasoning,
      onToolInput,
      onSource,
      maxWebSearches: searchesLeft,
      onWebSearch: () => {
        writer.onWebSearch()
        if (countWritten(input).searches > maxWebSearches)
          tooLong.abort(new ReplyTooLong('the model searches too often'))
      },
      onOmit: (omission, names) => addNotice(input, toNotice(omission, offeredTools, names)),
    })
    writer.beginStep()
    const reported = before.searches + (completion.webSearches ?? 0) - countWritten(input).searches
    if (reported > 0) writer.countSearches(reported)
    await showImages(input, images, writer)
    writer.endParts()
    const usage = countRound(input, completion, promptTokens)
    const shown = events.reply.attachments.slice(shownBefore)
    return { ...completion, usage, shown, hasImages: images.length > 0 }
  } catch (error) {
    // a request that was stopped or cut off reports no usage, but is billed
    writer.endParts()
    const { text, reasoning } = events.reply
    // without the blank line between the texts of two rounds
    const unfinished = text.slice(before.text).trimStart()
    if (unfinished !== '') progress.roundMessages.push({ role: 'assistant', content: unfinished })
    if (sentTokens !== undefined && !isUnbilled(error)) {
      const written = (reasoning?.text ?? '').slice(before.reasoning) + text.slice(before.text)
      const used = {
        inputTokens: sentTokens,
        outputTokens: estimateTextTokens(written),
        webSearches: countWritten(input).searches - before.searches,
      }
      sendUsage(input, countTokens(input, used, { estimated: true }))
    }
    throw error
  }
}

/** @param names of tools that are left out alone */
function toNotice(omission: Omission, offered: readonly Tool[], names: readonly string[] = []): ReplyNotice {
  if (omission !== 'someTools') return replyNotices[omission]
  const tools = offered.filter(({ name }) => names.includes(name))
  return toolsLeftOut(
    tools.map(({ name, title = name, integration }) =>
      integration ? `${title} (${integration.name})` : title,
    ),
  )
}

/** How many characters of text and of reasoning, and how many searches, the reply has. */
const countWritten = ({ events: { reply } }: Pick<ActiveReply, 'events'>) => ({
  text: reply.text.length,
  reasoning: reply.reasoning?.text.length ?? 0,
  searches: reply.usage?.webSearches ?? 0,
})

/** Shows the images that the model made itself. One that has an address is cited: it is not fetched. */
async function showImages(
  { showFiles }: Pick<ActiveReply, 'showFiles'>,
  urls: readonly string[],
  { onText, onSource }: Pick<ReturnType<typeof roundWriter>, 'onText' | 'onSource'>,
): Promise<void> {
  const files = urls.flatMap((url) => {
    const [, declaredType, data] = /^data:(image\/[\w.+-]{1,40});base64,(.*)$/s.exec(url) ?? []
    if (declaredType && data) return [{ name: 'image', declaredType, bytes: Buffer.from(data, 'base64') }]
    onSource({ url })
    return []
  })
  if (files.length === 0) return
  const { notes } = await showFiles(files, undefined)
  if (notes.length > 0) onText(`\n\n${joinSentences(notes, '\n')}`)
}

/** Counts what a request used for the budget. @returns what the reply has used by then */
function countTokens(
  { events, spending, modelName, price, sent, hasReadOthers }: ActiveReply,
  tokens: Parameters<typeof addUsage>[1],
  options?: Parameters<typeof addUsage>[2],
): Usage {
  spending.spend({ ...tokens, cost: price && priceTokens(tokens, price) })
  return {
    ...addUsage(events.reply.usage ?? noUsage(), tokens, { ...options, price }),
    model: modelName,
    contextUsed: tokens.inputTokens + tokens.outputTokens,
    ...sent,
    ...(hasReadOthers?.() && { readOthers: true }),
  }
}

function sendUsage({ events }: ActiveReply, counted: Usage): void {
  const usage = toUsage({ usage: counted, attachments: events.reply.attachments })
  if (usage) events.push({ type: 'message-metadata', messageMetadata: { usage } })
}

/** Counts a round as the model's server counted it or, without its counts, by an estimate. */
function countRound(input: ActiveReply, completion: ModelRound, promptTokens: number): Usage {
  const { inputTokens, outputTokens, text, toolCalls } = completion
  input.progress.inputTokens += inputTokens
  input.progress.outputTokens += outputTokens
  const written = text + toolCalls.map((call) => call.name + call.arguments).join('')
  // no prompt is empty, and what was written has tokens: without a count, or with an impossible one, it is estimated
  if (inputTokens > 0 && (outputTokens > 0 || written === '')) return countTokens(input, completion)
  const estimate = {
    ...completion,
    inputTokens: inputTokens || promptTokens,
    outputTokens: outputTokens || estimateTextTokens(written),
  }
  return countTokens(input, estimate, { estimated: true })
}

/** Ends a reply that may not ask the model again: what it has so far stays, and says why there is no more. */
function endForBudget(
  { events, progress }: ActiveReply,
  { userMessage: message }: BudgetUsedUp,
): GenerateOutcome {
  progress.roundMessages.push({ role: 'assistant', content: message })
  const id = 'text-budget'
  events.push({ type: 'start-step' })
  events.push({ type: 'text-start', id })
  events.push({ type: 'text-delta', id, delta: message })
  events.push({ type: 'text-end', id })
  events.push({ type: 'finish-step' })
  return { status: 'incomplete', reason: 'budget' }
}

/**
 * The message of an answer, as the next requests have it.
 * @param calls that are made; none for an answer that ends the reply
 */
function toAnswerMessage(
  { text, answer, isThinking, toolCalls, shown }: Awaited<ReturnType<typeof runModelRound>>,
  calls: readonly ModelToolCall[],
): ModelMessage {
  const content = [text, ...shown.map(describeShown)].filter((part) => part !== '').join('\n\n')
  const isAsGiven = shown.length === 0 && calls.length === toolCalls.length && !calls.some(isTooLong)
  return {
    role: 'assistant',
    content: content || (calls.length > 0 ? null : ''),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: isTooLong(call) ? '{}' : call.arguments },
      })),
    }),
    ...(answer && isAsGiven && { answer }),
    ...(isThinking && { isThinking }),
  }
}

/**
 * Writes a reply: asks the model, runs the tools it calls, and asks again, until it answers without calls.
 * @param input `progress` and `events` grow while it works, whatever the end
 * @throws ModelError, or the reason of an aborted signal
 */
export async function generateReply(input: ActiveReply): Promise<GenerateOutcome> {
  const { progress, events, decidedCalls = [], continues } = input
  const requestedAgain = await runDecidedCalls(input, decidedCalls)
  if (requestedAgain.length > 0) return { status: 'waiting', pending: requestedAgain }
  const firstRound = countRounds(progress.roundMessages)
  for (let round = firstRound; ; round += 1) {
    // the last request has the tools, too, so that it begins as the one before
    const isLast = round >= maxRounds
    const offeredTools = listOffered(input)
    let completion
    try {
      completion = await runModelRound(input, offeredTools, {
        round,
        isOpen: continues && round === firstRound,
        isLast,
      })
    } catch (error) {
      if (error instanceof ReplyTooLong) return { status: 'incomplete', reason: error.reason }
      // the first request of a reply is refused as a whole
      if (error instanceof BudgetUsedUp && round > 0) return endForBudget(input, error)
      throw error
    }
    progress.firstTokenAtMs ??= Date.now()
    const { toolCalls } = completion
    if (toolCalls.length === 0 || isLast || offeredTools.length === 0) {
      const { text, attachments } = events.reply
      const hasText = completion.text !== '' || completion.shown.length > 0
      if (hasText || completion.answer) progress.roundMessages.push(toAnswerMessage(completion, []))
      sendUsage(input, completion.usage)
      if (text.trim() === '' && attachments.length === 0 && !completion.hasImages)
        throw new ModelError(
          completion.incompleteReason === 'length' ? modelErrors.outOfLength : modelErrors.empty,
          'no text and no call',
        )
      events.push({ type: 'finish-step' })
      return completion.truncated
        ? { status: 'incomplete', reason: completion.incompleteReason }
        : { status: 'done' }
    }
    progress.roundMessages.push(toAnswerMessage(completion, toolCalls))
    // what the request used is told even if the calls are stopped
    const pending = await startCalls(input, toolCalls).finally(() => sendUsage(input, completion.usage))
    events.push({ type: 'finish-step' })
    if (pending.length > 0) return { status: 'waiting', pending }
    const changedTools = await input.findChangedTools?.()
    if (changedTools)
      Object.assign(input, {
        tools: changedTools,
        offered: offerTools(changedTools, input.contextTokens),
      })
  }
}
