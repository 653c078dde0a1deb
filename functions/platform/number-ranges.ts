export interface NumberRange {
  first: number
  last: number
}

/** Joins numbers that follow each other. @param numbers ascending */
export function listRanges(numbers: readonly number[]): NumberRange[] {
  const ranges: NumberRange[] = []
  for (const number of numbers) {
    const range = ranges.at(-1)
    if (range && number === range.last + 1) range.last = number
    else ranges.push({ first: number, last: number })
  }
  return ranges
}

/** @returns for example '5–9' */
export const formatRange = ({ first, last }: NumberRange): string =>
  first === last ? `${first}` : `${first}–${last}`
