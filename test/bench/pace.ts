/** How the measured model answers. */
export interface Pace {
  firstTokenMs: number
  tokens: number
  /** between two tokens; 0 for all at once */
  everyMs: number
  /** tokens are pieces of a long markdown text, and not the time at which they were sent */
  markdown?: boolean
  /** before it answers, it calls the first tool that reads records */
  kind?: 'tool'
}

/** A question that tells the model how to answer it, filled up to a length. */
export function question({ firstTokenMs, tokens, everyMs, markdown, kind }: Pace, characters = 0): string {
  return `pace ${firstTokenMs} ${tokens} ${everyMs} ${markdown ? 'markdown ' : ''}${kind ? `${kind} ` : ''}`.padEnd(
    characters,
    'x',
  )
}

/** @throws Error for a question without a pace */
export function parsePace(text: string): Pace {
  // the page sends what was typed without the blank at its end
  const [, firstTokenMs, tokens, everyMs, kind] = /^pace (\d+) (\d+) (\d+)(?: (\w+)?|$)/.exec(text) ?? []
  if (everyMs === undefined) throw new Error(`no pace in: ${text.slice(0, 40)}`)
  return {
    firstTokenMs: Number(firstTokenMs),
    tokens: Number(tokens),
    everyMs: Number(everyMs),
    markdown: kind === 'markdown',
    ...(kind === 'tool' && { kind }),
  }
}
