import type { Usage } from '#shared/contracts/chat.ts'
import type { ListedModel } from '#shared/models.ts'
import type { ModelRound } from './model/model.ts'

/** The usage of a reply before its first request. */
export const noUsage = (): Usage => ({
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  images: 0,
})

type TokenCounts = Pick<ModelRound, 'inputTokens' | 'outputTokens' | 'cachedInputTokens' | 'reasoningTokens'>

type Price = NonNullable<ListedModel['price']>

/** @param price USD per million tokens @returns USD */
export function priceTokens(
  { inputTokens, outputTokens, cachedInputTokens = 0 }: TokenCounts,
  { input, cachedInput = input, output }: Price,
): number {
  const cached = Math.min(cachedInputTokens, inputTokens)
  return ((inputTokens - cached) * input + cached * cachedInput + outputTokens * output) / 1_000_000
}

/**
 * Adds the tokens of one request to the usage of a reply.
 * @param options `estimated` if the server has not counted them; `price` if the deployment knows it
 */
export function addUsage(
  usage: Usage,
  { inputTokens, outputTokens, cachedInputTokens = 0, reasoningTokens = 0 }: TokenCounts,
  { estimated = false, price }: { estimated?: boolean; price?: Price | undefined } = {},
): Usage {
  const counts = { inputTokens, outputTokens, cachedInputTokens }
  return {
    ...usage,
    inputTokens: usage.inputTokens + inputTokens,
    cachedInputTokens: usage.cachedInputTokens + cachedInputTokens,
    outputTokens: usage.outputTokens + outputTokens,
    reasoningTokens: usage.reasoningTokens + reasoningTokens,
    ...(price && { cost: (usage.cost ?? 0) + priceTokens(counts, price) }),
    ...(estimated && { estimated }),
  }
}
