import type { ModelCall, ModelRound } from './model.ts'

/** A server that pauses more often does not come to an end. */
const maxPauses = 5

const sum = (
  rounds: readonly ModelRound[],
  name: 'cachedInputTokens' | 'cacheWriteTokens' | 'reasoningTokens' | 'webSearches',
) => rounds.reduce((total, round) => total + (round[name] ?? 0), 0)

const toTextBlocks = (text: string) => (text.trim() === '' ? [] : [{ type: 'text', text }])

/** The parts of an answer as one. */
function joinRounds(rounds: readonly [ModelRound, ...ModelRound[]]): ModelRound {
  const [first, ...others] = rounds
  const last = others.at(-1)
  if (!last) return first
  // Messages alone pauses: a part that is no more than its text is a block of it
  const answer = rounds.find((round) => round.answer)?.answer
  const isWhole = rounds.every((round) => round.answer ?? round.toolCalls.length === 0)
  const items = rounds.flatMap((round) => round.answer?.items ?? toTextBlocks(round.text))
  const counts = (['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens', 'webSearches'] as const).map(
    (name) => [name, sum(rounds, name)] as const,
  )
  const { answer: _, ...rest } = last
  return {
    ...rest,
    text: rounds.map(({ text }) => text).join(''),
    inputTokens: rounds.reduce((total, round) => total + round.inputTokens, 0),
    outputTokens: rounds.reduce((total, round) => total + round.outputTokens, 0),
    ...Object.fromEntries(counts.filter(([, count]) => count > 0)),
    ...(answer && isWhole && { answer: { ...answer, items } }),
  }
}

/**
 * Asks a model until its answer is complete: a server that works for long within an answer pauses, and goes on when it gets its answer so far
 * as the last message. https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons#pause-turn
 */
export async function askUntilDone(
  ask: (call: ModelCall) => Promise<ModelRound>,
  call: ModelCall,
): Promise<ModelRound> {
  const rounds: [ModelRound, ...ModelRound[]] = [await ask(call)]
  let next = call
  for (let round = rounds[0]; round.isPaused && rounds.length <= maxPauses; rounds.push(round)) {
    const { text, answer, webSearches = 0 } = round
    next = {
      ...next,
      ...(next.maxWebSearches !== undefined && {
        maxWebSearches: Math.max(0, next.maxWebSearches - webSearches),
      }),
      messages: [...next.messages, { role: 'assistant', content: text, ...(answer && { answer }) }],
    }
    round = await ask(next)
  }
  return joinRounds(rounds)
}
