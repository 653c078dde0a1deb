/** Letters and punctuation of scripts that write no blanks between words or sentences. Korean does. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\u30fc\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/u
/**
 * Also signs that open a word or join it to the next one. A straight quotation mark, or a mark of Markdown, opens what follows if nothing or
 * a blank is before it.
 */
const opening = /[\p{Ps}\p{Pi}\s/\\]$|(?:^|[\p{Ps}\p{Pi}\s])["'`*_~@#]{1,3}$|[\p{L}\p{N}][-\u2010-\u2015]$/u
/** As many characters as these look at. */
const edgeCharacters = 8
/** Also straight quotation marks and marks of Markdown with no word behind them. */
const closing = /^(?:[\p{Pe}\p{Pf}\s.,;:!?…،؛؟।%‰°]|["'`*_~]{1,3}(?=$|[\s\p{P}]))/u

/**
 * What stands between two texts that follow each other: a blank, unless there is one, one of them is empty, the first ends with an opening
 * mark or the second begins with a closing one, or both meet in a script without blanks.
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
