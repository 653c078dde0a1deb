import type { ListedModel } from '#shared/models.ts'
import type { Model, ModelMessage } from '../models/model.ts'
import { isUnbilled } from '../models/model-errors.ts'
import { estimatePromptTokens, estimateTextTokens } from '../models/token-estimate.ts'
import type { Spending } from './reply-budget.ts'
import { priceTokens } from './usage.ts'

export interface BesideInput {
  model: Pick<Model, 'complete'>
  price?: ListedModel['price']
  spending: Pick<Spending, 'reserve' | 'spend'>
  remainingMs: () => number
}

/**
 * Asks a model for a text of the product itself, such as a summary, within the budget of the reply that it follows.
 * @param options `timeLimitMs` after which the request is given up
 * @returns `isWhole`: the server did not cut it
 * @throws ModelError, BudgetUsedUp
 */
export async function completeBeside(
  messages: ModelMessage[],
  { model, price, spending, remainingMs }: BesideInput,
  { timeLimitMs, effort }: { timeLimitMs: number; effort?: string | undefined },
): Promise<{ text: string; isWhole: boolean }> {
  const promptTokens = estimatePromptTokens(messages, [])
  await spending.reserve(promptTokens, price)
  const count = (tokens: Parameters<typeof priceTokens>[0]) =>
    spending.spend({ ...tokens, cost: price && priceTokens(tokens, price) })
  const completing = model.complete({
    messages,
    tools: [],
    signal: AbortSignal.timeout(Math.max(0, Math.min(timeLimitMs, remainingMs()))),
    ...(effort !== undefined && { effort }),
    onText: () => undefined,
    onOmit: () => undefined,
  })
  const round = await completing.catch((error: unknown) => {
    if (!isUnbilled(error)) count({ inputTokens: promptTokens, outputTokens: 0 })
    throw error
  })
  const isCounted = round.inputTokens + round.outputTokens > 0
  count(isCounted ? round : { inputTokens: promptTokens, outputTokens: estimateTextTokens(round.text) })
  return { text: round.text.trim(), isWhole: !round.truncated }
}
