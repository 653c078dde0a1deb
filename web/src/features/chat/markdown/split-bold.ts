const isSpace = (character: string | undefined) => character === undefined || /\s/.test(character)

/** So many parts may be bold; more are shown as they were written. */
const maxBold = 2_000

/**
 * Splits a text at its bold parts, which stand between double asterisks.
 * @returns plain and bold parts in turns; the first one is plain, perhaps empty
 */
export function splitBold(text: string): string[] {
  const parts: string[] = []
  let plainStart = 0
  let opener = text.indexOf('**')
  while (opener >= 0 && parts.length < 2 * maxBold) {
    if (isSpace(text[opener + 2])) {
      opener = text.indexOf('**', opener + 1)
      continue
    }
    let closer = text.indexOf('**', opener + 3)
    while (closer >= 0 && isSpace(text[closer - 1])) closer = text.indexOf('**', closer + 1)
    // no later opener has one either
    if (closer < 0) break
    parts.push(text.slice(plainStart, opener), text.slice(opener + 2, closer))
    plainStart = closer + 2
    opener = text.indexOf('**', plainStart)
  }
  return [...parts, text.slice(plainStart)]
}
