import { joinSentences } from '#shared/sentences/to-sentence.ts'
import type { IncompleteReason, ReplyNotice } from '#shared/contracts/chat.ts'
import { imagesLeftOut, modelWaits, replyNotices, toolsLeftOut } from '#shared/chat-texts.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { Tool } from '../tools/calls/tool.ts'
import { readDataUrl } from '../models/image-data.ts'
import { isPromptTooLong, isUnbilled } from '../models/model-errors.ts'
import type { ModelMessage, ModelRound, ModelToolCall, Omission, Omitted } from '../models/model.ts'
import { describeShownFile } from './prompt/prompt.ts'
import { addNotice } from './progress.ts'
import type { ActiveReply } from './reply.ts'
import { estimatePromptTokens, estimateTextTokens } from '../models/token-estimate.ts'
import { roundWriter } from './round-writer.ts'
import { maxWebSearches } from '../platform/limits.ts'
import { toModelTool, isTooLong } from './tools/run-tool.ts'
import { countRound, countTokens, sendUsage } from './usage.ts'

/** The reply exceeds what one row can hold (`length`), or searches too often; ends the model call. */
export class ReplyTooLong extends Error {
  readonly reason: IncompleteReason | undefined

  constructor(message: string, reason?: IncompleteReason) {
    super(message)
    this.reason = reason
  }
}

/**
 * Requests one answer of the model and forwards it as it arrives.
 * @param isOpen whether its text part has already begun
 * @returns the calls that it makes, and the answer as the next requests have it
 */
export async function runModelRound(
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
      onWait: (seconds) => addNotice(input, modelWaits(seconds)),
      onOmit: (omission, omitted) => addNotice(input, toNotice(omission, offeredTools, omitted)),
    })
    writer.beginStep()
    const reported = before.searches + (completion.webSearches ?? 0) - countWritten(input).searches
    if (reported > 0) writer.countSearches(reported)
    await showImages(input, images, writer)
    writer.endParts()
    const { truncated, incompleteReason } = completion
    // an answer that ends the reply makes no calls
    const calls = isLast || offeredTools.length === 0 ? [] : completion.toolCalls
    const shown = events.reply.attachments.slice(shownBefore)
    const message = toAnswerMessage(completion, shown, calls)
    const usage = countRound(input, completion, promptTokens)
    return { calls, message, usage, hasImages: images.length > 0, truncated, incompleteReason }
  } catch (error) {
    // a request that was stopped or cut off reports no usage, but is billed
    const { text, reasoning } = events.reply
    // a shorter request goes on with the text that is open
    if (!(isOpen && text.length === before.text && isPromptTooLong(error))) writer.endParts()
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
      const usage = countTokens(input, used, { estimated: true })
      sendUsage(input, usage)
    }
    throw error
  }
}

function toNotice(
  omission: Omission,
  offered: readonly Tool[],
  { names, limit }: Omitted = { names: [] },
): ReplyNotice {
  if (omission === 'someImages') return imagesLeftOut(names, limit)
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
    const { type: declaredType, base64 } = readDataUrl(url) ?? {}
    if (declaredType && base64) return [{ name: 'image', declaredType, bytes: Buffer.from(base64, 'base64') }]
    if (!url.startsWith('data:')) onSource({ url })
    return []
  })
  if (files.length === 0) return
  const { notes } = await showFiles(files, undefined)
  if (notes.length > 0) onText(`\n\n${joinSentences(notes, '\n')}`)
}

/**
 * The message of an answer, as the next requests have it.
 * @param calls that are made
 * @returns undefined for an answer with neither text nor calls, if its server gave nothing to send back
 */
function toAnswerMessage(
  { text, answer, isThinking, toolCalls }: ModelRound,
  shown: readonly Attachment[],
  calls: readonly ModelToolCall[],
): ModelMessage | undefined {
  if (text === '' && shown.length === 0 && calls.length === 0 && !answer) return undefined
  const content = [text, ...shown.map(describeShownFile)].filter((part) => part !== '').join('\n\n')
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
