import type { ModelCall, ModelRound } from './model.ts'

/** A server that pauses more often does not come to an end. */
const maxPauses = 5

const sum = (
  rounds: readonly ModelRound[],
  name: 'cachedInputTokens' | 'cacheWriteTokens' | 'reasoningTokens' | 'webSearches',
) => rounds.reduce((total, round) => total + (round[name] ?? 0), 0)

/** The parts of an answer as one. */
function joinRounds(rounds: readonly [ModelRound, ...ModelRound[]]): ModelRound {
  const [first, ...others] = rounds
  const last = others.at(-1)
  if (!last) return first
  const reasoning = rounds.flatMap((round) => round.reasoning ?? [])
  const counts = (['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens', 'webSearches'] as const).map(
    (name) => [name, sum(rounds, name)] as const,
  )
  return {
    ...last,
    text: rounds.map(({ text }) => text).join(''),
    inputTokens: rounds.reduce((total, round) => total + round.inputTokens, 0),
    outputTokens: rounds.reduce((total, round) => total + round.outputTokens, 0),
    ...Object.fromEntries(counts.filter(([, count]) => count > 0)),
    ...(reasoning.length > 0 && { reasoning }),
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
    const { text, reasoning, webSearches = 0 } = round
    next = {
      ...next,
      ...(next.maxWebSearches !== undefined && {
        maxWebSearches: Math.max(0, next.maxWebSearches - webSearches),
      }),
      messages: [...next.messages, { role: 'assistant', content: text, ...(reasoning && { reasoning }) }],
    }
    round = await ask(next)
  }
  return joinRounds(rounds)
}
