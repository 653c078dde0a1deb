/** How the measured model answers. */
export interface Pace {
  firstTokenMs: number
  tokens: number
  /** between two tokens; 0 for all at once */
  everyMs: number
}

/** A question that tells the model how to answer it, filled up to a length. */
export function question({ firstTokenMs, tokens, everyMs }: Pace, characters = 0): string {
  return `pace ${firstTokenMs} ${tokens} ${everyMs} `.padEnd(characters, 'x')
}

/** @throws Error for a question without a pace */
export function parsePace(text: string): Pace {
  const [, firstTokenMs, tokens, everyMs] = /^pace (\d+) (\d+) (\d+) /.exec(text) ?? []
  if (everyMs === undefined) throw new Error(`no pace in: ${text.slice(0, 40)}`)
  return { firstTokenMs: Number(firstTokenMs), tokens: Number(tokens), everyMs: Number(everyMs) }
}
