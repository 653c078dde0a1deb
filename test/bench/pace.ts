/** One of everything, over and over, or one block that never ends. */
const texts = ['markdown', 'list', 'table', 'code'] as const
export type Text = (typeof texts)[number]

/** How the measured model answers. */
export interface Pace {
  firstTokenMs: number
  tokens: number
  /** between two tokens; 0 for all at once */
  everyMs: number
  /** tokens are pieces of a long markdown text, and not the time at which they were sent */
  text?: Text
  /** before it answers, it calls the first tool that reads records */
  kind?: 'tool'
}

/** A question that tells the model how to answer it, filled up to a length. */
export function question({ firstTokenMs, tokens, everyMs, text, kind }: Pace, characters = 0): string {
  return `pace ${firstTokenMs} ${tokens} ${everyMs} ${text ? `${text} ` : ''}${kind ? `${kind} ` : ''}`.padEnd(
    characters,
    'x',
  )
}

/** @throws Error for a question without a pace */
export function parsePace(asked: string): Pace {
  // the page sends what was typed without the blank at its end
  const [, firstTokenMs, tokens, everyMs, kind] = /^pace (\d+) (\d+) (\d+)(?: (\w+)?|$)/.exec(asked) ?? []
  if (everyMs === undefined) throw new Error(`no pace in: ${asked.slice(0, 40)}`)
  const text = texts.find((name) => name === kind)
  return {
    firstTokenMs: Number(firstTokenMs),
    tokens: Number(tokens),
    everyMs: Number(everyMs),
    ...(text && { text }),
    ...(kind === 'tool' && { kind }),
  }
}
