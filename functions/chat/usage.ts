import type { Usage } from '#shared/contracts/chat.ts'
import type { ListedModel } from '#shared/models.ts'
import { noUsage, toUsage } from '../conversations/turns/stored-reply.ts'
import type { ModelRound } from '../models/model.ts'
import { estimateTextTokens } from '../models/token-estimate.ts'
import type { ActiveReply } from './reply.ts'

type TokenCounts = Pick<
  ModelRound,
  | 'inputTokens'
  | 'outputTokens'
  | 'cachedInputTokens'
  | 'cacheWriteTokens'
  | 'reasoningTokens'
  | 'webSearches'
>

type Price = NonNullable<ListedModel['price']>

/**
 * USD per 1,000 searches.
 * @see https://developers.openai.com/api/docs/pricing
 * @see https://platform.claude.com/docs/en/about-claude/pricing
 */
const defaultSearchPrice = 10

/** @param price USD per million tokens, and per 1,000 searches @returns USD */
export function priceTokens(
  { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0, webSearches = 0 }: TokenCounts,
  price: Price,
): number {
  const { input, output } = price.long && inputTokens > price.long.above ? price.long : price
  const rise = price.input > 0 ? input / price.input : 1
  const { cachedInput = price.input, cacheWrite = price.input } = price
  const cached = Math.min(cachedInputTokens, inputTokens)
  const written = Math.min(cacheWriteTokens, inputTokens - cached)
  const inputCost =
    (inputTokens - cached - written) * input + (cached * cachedInput + written * cacheWrite) * rise
  const searchCost = (webSearches * (price.webSearch ?? defaultSearchPrice)) / 1_000
  return (inputCost + outputTokens * output) / 1_000_000 + searchCost
}

/** Whether a model may bill searches. A server of Chat Completions searches unasked: then its price is known. */
export const mayBillSearches = ({ webSearch, price }: Pick<ListedModel, 'webSearch' | 'price'>): boolean =>
  webSearch === true || price?.webSearch !== undefined

/**
 * Adds the tokens of one request to the usage of a reply.
 * @param options `estimated` if the server has not counted them; `price` if the deployment knows it
 */
export function addUsage(
  usage: Usage,
  tokens: TokenCounts,
  { estimated = false, price }: { estimated?: boolean; price?: Price | undefined } = {},
): Usage {
  const { inputTokens, outputTokens, cachedInputTokens = 0, reasoningTokens = 0 } = tokens
  return {
    ...usage,
    inputTokens: usage.inputTokens + inputTokens,
    cachedInputTokens: usage.cachedInputTokens + cachedInputTokens,
    outputTokens: usage.outputTokens + outputTokens,
    reasoningTokens: usage.reasoningTokens + reasoningTokens,
    ...(price && { cost: (usage.cost ?? 0) + priceTokens(tokens, price) }),
    ...(estimated && { estimated }),
  }
}

/** Counts what a request used for the budget. @returns what the reply has used by then */
export function countTokens(
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

/** Tells readers what the reply has used, its files included. */
export function sendUsage({ events }: ActiveReply, counted: Usage): void {
  const usage = toUsage({ usage: counted, attachments: events.reply.attachments })
  if (usage) events.push({ type: 'message-metadata', messageMetadata: { usage } })
}

/** Counts a round as the model's server counted it or, without its counts, by an estimate. */
export function countRound(input: ActiveReply, completion: ModelRound, promptTokens: number): Usage {
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
