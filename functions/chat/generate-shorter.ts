import { resultsCut } from '#shared/chat-texts.ts'
import { isPromptTooLong } from '../models/model-errors.ts'
import { readReportedWindow } from '../models/reported-window.ts'
import { estimatePromptTokens } from '../models/token-estimate.ts'
import type { GenerateOutcome } from './generate-reply.ts'
import { addNotice, countRounds, type Progress } from './progress.ts'
import { charactersPerToken, toWindow } from './prompt/context-limits.ts'
import type { ActiveReply, Prompt, Reply } from './reply.ts'
import { shortenResults } from './tools/shorten-results.ts'

/** The parts of the room that are tried, one after the other, if the server has named its window, and if it has not. */
const sharesOfReportedWindow = [1, 1 / 2, 1 / 4]
const sharesOfUnknownWindow = [1 / 2, 1 / 4, 1 / 8]
/** What a prompt and the rounds of its reply get of a window: tools and the answer share the rest. */
const sentShare = 3 / 4
/** What the rounds get, however long the prompt is. */
const roundsShare = 1 / 4
/** Each round may be the first that is too long. */
const maxAttempts = 12

/**
 * Goes on with a reply whose prompt was too long for its model: with less of the conversation and of its files, and less of the results of
 * its calls, as often as that leaves something out. A server may have a smaller window than is known, and counts the tokens otherwise.
 * @param start what the progress had before the first prompt
 * @param firstPrompt the one that was refused
 * @param generate goes on with another prompt; calls that were decided before are made already
 * @throws the error if nothing can be left out, or if a part of the answer has come; whatever `generate` throws
 */
export async function generateShorter(
  reply: Pick<Reply, 'progress' | 'events' | 'contextLimits' | 'loadPrompt' | 'log'> &
    Pick<ActiveReply, 'resultPager'>,
  {
    start,
    firstPrompt,
    error: firstError,
  }: { start: Pick<Progress, 'given' | 'cut'>; firstPrompt: Pick<Prompt, 'messages'>; error: unknown },
  generate: (prompt: Prompt) => Promise<GenerateOutcome>,
): Promise<GenerateOutcome> {
  const { progress, contextLimits, log } = reply
  const countTokens = ({ messages }: Pick<Prompt, 'messages'>) =>
    estimatePromptTokens([...messages, ...progress.roundMessages], [])
  let error = firstError
  let refused = firstPrompt
  let window = Infinity
  let shares: number[] = []
  let rounds = -1
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (!isPromptTooLong(error) || progress.roundMessages.at(-1)?.role === 'assistant') throw error
    const tokens = countTokens(refused)
    const reported = readReportedWindow(error)
    if (countRounds(progress.roundMessages) > rounds) {
      rounds = countRounds(progress.roundMessages)
      shares = [...(reported === undefined ? sharesOfUnknownWindow : sharesOfReportedWindow)]
      window = Math.min(window, reported ?? Infinity, tokens)
    }
    const part = reported === undefined ? 1 : Math.min(1, window / toWindow(contextLimits))
    const prompt = await findShorter(reply, { shares, part, window, start, tokens, countTokens })
    if (!prompt) throw error
    log.info('the prompt was too long for its model, and is shortened', { inputTokens: countTokens(prompt) })
    try {
      return await generate(prompt)
    } catch (cause) {
      error = cause
      refused = prompt
    }
  }
  throw error
}

/** Shortens the prompt and the rounds to the first share that leaves something out. @returns undefined if none does */
async function findShorter(
  reply: Pick<Reply, 'progress' | 'events' | 'loadPrompt'> & Pick<ActiveReply, 'resultPager'>,
  {
    shares,
    part,
    window,
    start,
    tokens,
    countTokens,
  }: {
    /** those that are tried are taken away */
    shares: number[]
    part: number
    window: number
    start: Pick<Progress, 'given' | 'cut'>
    tokens: number
    countTokens: (prompt: Prompt) => number
  },
): Promise<Prompt | undefined> {
  for (let share = shares.shift(); share !== undefined; share = shares.shift()) {
    const prompt = await reply.loadPrompt(share * part, start)
    reply.resultPager.narrow(window * share)
    const left = window * share * sentShare - estimatePromptTokens(prompt.messages, [])
    const room = Math.max(left, window * share * roundsShare) * charactersPerToken
    const cut = shortenResults(reply, room)
    if (cut.length > 0) addNotice(reply, resultsCut(listTitles(reply, cut)))
    if (countTokens(prompt) < tokens) return prompt
  }
  return undefined
}

/** What the page calls the tools of these calls, each once. */
function listTitles({ events }: Pick<Reply, 'events'>, ids: readonly string[]): string[] {
  const { toolCalls } = events.reply
  const titles = ids.flatMap((id) => {
    const call = toolCalls.find((one) => one.id === id)
    return call ? [call.activity?.title ?? call.name] : []
  })
  return [...new Set(titles)]
}
