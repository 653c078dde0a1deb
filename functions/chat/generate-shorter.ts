import { modelErrors, ModelError } from '../models/model-errors.ts'
import { estimatePromptTokens } from '../models/token-estimate.ts'
import type { GenerateOutcome } from './generate-reply.ts'
import type { Progress } from './progress.ts'
import type { Prompt, Reply } from './reply.ts'

/** The parts of the room for a conversation that are tried, one after the other. */
const shares = [1 / 2, 1 / 4, 1 / 8]

const isTooLong = (error: unknown): boolean =>
  error instanceof ModelError && error.code === modelErrors.tooLong.code

/**
 * Goes on with a reply whose prompt was too long for its model: with less of the conversation and of its files, as often as that leaves
 * something out. A server may have a smaller window than anybody has said, and counts the tokens otherwise.
 * @param start what the progress had before the first prompt
 * @param firstPrompt the one that was refused
 * @param generate goes on with another prompt; calls that were decided before are made already
 * @throws the error if nothing can be left out, or if a part of the answer has come; whatever `generate` throws
 */
export async function generateShorter(
  { progress, continues, loadPrompt, log }: Pick<Reply, 'progress' | 'continues' | 'loadPrompt' | 'log'>,
  {
    start,
    firstPrompt,
    error: firstError,
  }: { start: Pick<Progress, 'given' | 'cut'>; firstPrompt: Pick<Prompt, 'messages'>; error: unknown },
  generate: (prompt: Prompt) => Promise<GenerateOutcome>,
): Promise<GenerateOutcome> {
  let error = firstError
  let tokens = estimatePromptTokens(firstPrompt.messages, [])
  for (const share of shares) {
    const isUnfinished = progress.roundMessages.at(-1)?.role === 'assistant'
    // the text of a continued reply is open: its end has been told to readers
    if (!isTooLong(error) || isUnfinished || continues) throw error
    const prompt = await loadPrompt(share, start)
    const tokensLeft = estimatePromptTokens(prompt.messages, [])
    if (tokensLeft >= tokens) continue
    tokens = tokensLeft
    log.info('the prompt was too long for its model, and is shortened', { inputTokens: tokens })
    try {
      return await generate(prompt)
    } catch (cause) {
      error = cause
    }
  }
  throw error
}
