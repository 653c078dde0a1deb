/** Characters that TeX has and prose has not. */
export const texSigns = /[\\^_={}<>]/
/** Two words in a row. */
export const prosePattern = /[A-Za-z]{3}[,;.]?\s+[A-Za-z]{2}/
/** A short text of characters that a formula without commands may have. */
const plainTex = /^[\w\s+\-*/|().,:;!'&%\p{Script=Greek}\p{Sm}\u2100-\u214f\u{1d400}-\u{1d7ff}°·…∞]{1,40}$/u

/** Whether a text is TeX. Prose is not: `\[see below\]` is an escaped bracket. */
export function isTex(tex: string): boolean {
  const bare = tex.replace(/\\(?:text|mathrm|operatorname)\{[^}]*\}|\\[A-Za-z]+/g, ' ')
  return !prosePattern.test(bare) && (texSigns.test(tex) || plainTex.test(tex))
}

/** A word between two numbers, as in "$5 or 10$"; `x` stands for "times". */
const wordBetweenNumbers = /[\d.,]\s+(?!x\s)[A-Za-z]{1,3}\s+\d/
/** A text that ends with an operator or an opening bracket. */
const endsOpen = /[-+*/,:;=<&|(]$/

/**
 * Whether a text between single dollars is TeX, by Pandoc's rule: no blank beside the dollars, and no digit after the second one. So "$5
 * and $10" are prices. Text that begins with a number has no words, because "$5 or 10$" is a price, too.
 * @param next what follows the second dollar
 */
export function isDollarTex(tex: string, next: string): boolean {
  // a letter behind it belongs to a price, unless it is an ordinal or a plural: `$n$th`
  if (/^[\d{$]/.test(next) || (/^\w/.test(next) && !/^(?:th|st|nd|rd|s)\b/.test(next))) return false
  // beyond Pandoc: blanks on both sides of a command, which no price has
  if (/^\s|\s$/.test(tex)) return /^ \S.*\S $/.test(tex) && /\\[A-Za-z]/.test(tex) && isTex(tex)
  if (!isTex(tex)) return false
  if (/^[\d.,]/.test(tex))
    return (
      !endsOpen.test(tex) &&
      (texSigns.test(tex) || !(/[A-Za-z]{3}/.test(tex) || wordBetweenNumbers.test(tex)))
    )
  return texSigns.test(tex) || /[+\-*/|(\p{Sm}]/u.test(tex) || !/[A-Za-z]{3}|^[A-Za-z]{1,2}\s/.test(tex)
}
