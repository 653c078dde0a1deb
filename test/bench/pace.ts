/** `markdown` repeats all kinds of it; the others are one endless block of their kind. */
const sampleTexts = ['markdown', 'list', 'table', 'code'] as const
export type SampleText = (typeof sampleTexts)[number]

/** How fast and how long the fake model of a bench replies. */
export interface Pace {
  firstTokenMs: number
  tokens: number
  /** between two tokens; 0 for all at once */
  everyMs: number
  /** tokens are pieces of a long markdown text instead of the time at which they were sent; not with `callsTool` */
  text?: SampleText
  /** before the answer, the model calls the first tool that reads records */
  callsTool?: true
}

/** A question that contains the pace of its answer, padded to a length. */
export function question({ firstTokenMs, tokens, everyMs, text, callsTool }: Pace, characters = 0): string {
  return `pace ${firstTokenMs} ${tokens} ${everyMs} ${text ? `${text} ` : ''}${callsTool ? 'tool ' : ''}`.padEnd(
    characters,
    'x',
  )
}

/** @returns undefined for a question without a pace */
export function parsePace(question: string): Pace | undefined {
  // the page trims the message
  const [, firstTokenMs, tokens, everyMs, option] =
    /^pace (\d+) (\d+) (\d+)(?: (\w+)?|$)/.exec(question) ?? []
  if (everyMs === undefined) return undefined
  const text = sampleTexts.find((name) => name === option)
  return {
    firstTokenMs: Number(firstTokenMs),
    tokens: Number(tokens),
    everyMs: Number(everyMs),
    ...(text && { text }),
    ...(option === 'tool' && { callsTool: true }),
  }
}
