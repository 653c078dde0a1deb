import type { Usage } from '#shared/contracts/chat.ts'
import type { ModelRound } from './model/model.ts'

export const noUsage = (): Usage => ({
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  images: 0,
})

type Counted = Pick<ModelRound, 'inputTokens' | 'outputTokens' | 'cachedInputTokens' | 'reasoningTokens'>

/** @param counted of one request; `estimated` where the server has not counted it */
export function addUsage(
  usage: Usage,
  { inputTokens, outputTokens, cachedInputTokens = 0, reasoningTokens = 0 }: Counted,
  { estimated = false }: { estimated?: boolean } = {},
): Usage {
  return {
    ...usage,
    inputTokens: usage.inputTokens + inputTokens,
    cachedInputTokens: usage.cachedInputTokens + cachedInputTokens,
    outputTokens: usage.outputTokens + outputTokens,
    reasoningTokens: usage.reasoningTokens + reasoningTokens,
    ...(estimated && { estimated }),
  }
}
