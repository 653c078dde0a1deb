/** Letters and punctuation of scripts that write no spaces between words or sentences. (Korean writes them.) */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\u30fc\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/u
/**
 * The end of a text after which no space is written: an opening bracket or quotation mark, a space, a hyphen in a word. A straight quotation
 * mark, or a mark of Markdown, opens what follows if nothing or a space is before it.
 */
const opening = /[\p{Ps}\p{Pi}\s/\\]$|(?:^|[\p{Ps}\p{Pi}\s])["'`*_~@#]{1,3}$|[\p{L}\p{N}][-\u2010-\u2015]$/u
/** How many characters at the edge of a text these patterns need. */
const edgeCharacters = 8
/** The beginning of a text before which no space is written: closing brackets, punctuation, marks with no word after them. */
const closing = /^(?:[\p{Pe}\p{Pf}\s.,;:!?…،؛؟।%‰°]|["'`*_~]{1,3}(?=$|[\s\p{P}]))/u

/**
 * Finds what has to stand between two texts that follow each other. It is a space, unless there is one already, one of the texts is empty, the
 * first ends with an opening mark, the second begins with a closing one, or both meet in a script that writes no spaces.
 */
export function findSeparator(before: string, after: string): '' | ' ' {
  const last = Array.from(before.slice(-2)).at(-1) ?? ''
  const [first = ''] = Array.from(after.slice(0, 2))
  if (
    last === '' ||
    first === '' ||
    opening.test(before.slice(-edgeCharacters)) ||
    closing.test(after.slice(0, edgeCharacters))
  )
    return ''
  const meets = [last, first].filter((letter) => unspaced.test(letter)).length
  return meets === 2 || (meets === 1 && /\p{P}/u.test(unspaced.test(last) ? last : first)) ? '' : ' '
}
