import type { ListedModel } from '#shared/models.ts'
import type { Model, ModelMessage } from '../models/model.ts'
import { isPromptTooLong, isUnbilled } from '../models/model-errors.ts'
import { estimatePromptTokens, estimateTextTokens } from '../models/token-estimate.ts'
import type { Spending } from './reply-budget.ts'
import { priceTokens } from './usage.ts'

export interface BesideInput {
  model: Pick<Model, 'complete'>
  price?: ListedModel['price']
  spending: Pick<Spending, 'reserve' | 'spend'>
  remainingMs: () => number
}

/** All of the material is tried, then these parts of it, one after the other: the window of the model may be small. */
const shares = [1, 1 / 2, 1 / 4, 1 / 8]

interface BesideOptions {
  /** after which a request is given up */
  timeLimitMs: number
  effort?: string | undefined
}

/**
 * Asks a model for a text of the product itself, such as a summary, within the budget of the reply that it follows.
 * @param buildRequest builds the messages with a part of the material, from 0 to 1
 * @returns `isWhole`: the server did not cut it
 * @throws ModelError, also if even the least is too long for the model; BudgetUsedUp
 */
export async function completeBeside(
  buildRequest: (share: number) => ModelMessage[],
  beside: BesideInput,
  options: BesideOptions,
): Promise<{ text: string; isWhole: boolean }> {
  let error: unknown
  let asked = ''
  for (const share of shares) {
    const messages = buildRequest(share)
    const text = JSON.stringify(messages)
    // no more can be left out
    if (text === asked) continue
    asked = text
    try {
      return await requestBeside(messages, beside, options)
    } catch (cause) {
      if (!isPromptTooLong(cause)) throw cause
      error = cause
    }
  }
  throw error
}

async function requestBeside(
  messages: ModelMessage[],
  { model, price, spending, remainingMs }: BesideInput,
  { timeLimitMs, effort }: BesideOptions,
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
