/** What may stand behind a backslash. */
const isEscape = /^(?:["\\/bfnrt]|u[\da-f]{4})/i
/** Those that a path or a pattern with backslashes may mean otherwise: `C:\new`. */
const isAmbiguous = /^[bfnrtu]/

const toEscaped = (character: string) => JSON.stringify(character).slice(1, -1)

/**
 * JSON whose texts have what JSON escapes: line breaks and tabs as they are (https://github.com/earendil-works/pi/issues/2981), and
 * backslashes of patterns and Markdown (https://github.com/PyModel/pythinker-code/pull/62).
 * @returns undefined if nothing can be repaired, or if it is not sure what was meant
 */
export function repairJson(text: string): string | undefined {
  const parts: string[] = []
  let isInText = false
  let isRepaired = false
  let hasBackslash = false
  let hasAmbiguous = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '"') {
      // in one text, either all backslashes begin escapes or none does
      if (isInText && hasBackslash && hasAmbiguous) return undefined
      isInText = !isInText
      hasBackslash = false
      hasAmbiguous = false
    }
    if (!isInText || (character !== '\\' && character >= ' ')) {
      parts.push(character)
      continue
    }
    const next = text.slice(at + 1, at + 6)
    if (character === '\\' && isEscape.test(next)) {
      hasAmbiguous ||= isAmbiguous.test(next)
      parts.push(text.slice(at, at + 2))
      at += 1
    } else {
      hasBackslash ||= character === '\\'
      isRepaired = true
      parts.push(toEscaped(character))
    }
  }
  return isRepaired ? parts.join('') : undefined
}
