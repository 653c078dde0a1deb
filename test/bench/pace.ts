/** All kinds of markdown, repeated, or one endless block. */
const texts = ['markdown', 'list', 'table', 'code'] as const
export type Text = (typeof texts)[number]

/** How fast and how much the measured model answers. */
export interface Pace {
  firstTokenMs: number
  tokens: number
  /** between two tokens; 0 for all at once */
  everyMs: number
  /** tokens are pieces of a long markdown text instead of the time at which they were sent */
  text?: Text
  /** before the answer, the model calls the first tool that reads records */
  kind?: 'tool'
}

/** A question that contains the pace of its answer, padded to a length. */
export function question({ firstTokenMs, tokens, everyMs, text, kind }: Pace, characters = 0): string {
  return `pace ${firstTokenMs} ${tokens} ${everyMs} ${text ? `${text} ` : ''}${kind ? `${kind} ` : ''}`.padEnd(
    characters,
    'x',
  )
}

/** @returns undefined for a question without a pace */
export function parsePace(asked: string): Pace | undefined {
  // the page trims the message
  const [, firstTokenMs, tokens, everyMs, kind] = /^pace (\d+) (\d+) (\d+)(?: (\w+)?|$)/.exec(asked) ?? []
  if (everyMs === undefined) return undefined
  const text = texts.find((name) => name === kind)
  return {
    firstTokenMs: Number(firstTokenMs),
    tokens: Number(tokens),
    everyMs: Number(everyMs),
    ...(text && { text }),
    ...(kind === 'tool' && { kind }),
  }
}
