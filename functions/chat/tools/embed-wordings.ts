import type { QueryVectors } from '../../files/search-index/rank-vectors.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import type { EmbeddingModel } from '../../models/embedding-model.ts'
import { isUnbilled } from '../../models/model-errors.ts'
import { estimateTextTokens } from '../../models/token-estimate.ts'
import type { Spending } from '../reply-budget.ts'

/** A search that waits longer goes by words alone. */
const timeoutMs = 5_000

/**
 * The wordings of a search as vectors, by one request.
 * @returns undefined when the budget is used up, or the server fails: the search goes by words
 * @throws the reason of the aborted signal
 */
export async function embedWordings(
  model: EmbeddingModel,
  wordings: readonly string[],
  { spending, signal }: { spending: Pick<Spending, 'reserve' | 'spend'>; signal: AbortSignal },
): Promise<QueryVectors | undefined> {
  const estimate = estimateTextTokens(wordings.join(''))
  let isSent = false
  try {
    await spending.reserve(estimate)
    isSent = true
    const { vectors, tokens } = await model.embed(
      wordings,
      'query',
      AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    )
    spending.spend({ inputTokens: tokens, outputTokens: 0 })
    return { model: model.name, vectors }
  } catch (error) {
    if (isSent && !isUnbilled(error)) spending.spend({ inputTokens: estimate, outputTokens: 0 })
    signal.throwIfAborted()
    logger.warn('a search goes by words alone', { error })
    return undefined
  }
}
