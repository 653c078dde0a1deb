/** Letters and punctuation of scripts that write no spaces between words. (Korean writes them.) */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\u30a0\u30fb\u30fc\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/u
/** Punctuation that these scripts share with others: it belongs to the letter beside it. */
const shared = /[“”‘’…—]/u
/**
 * The end of a text after which no space is written: an opening bracket, quotation or Spanish mark, a space, a hyphen in a word. A straight quotation
 * mark, or a mark of Markdown, opens what follows if nothing or a space is before it.
 */
const opening = /[\p{Ps}\p{Pi}¿¡\s/\\]$|(?:^|[\p{Ps}\p{Pi}\s])["'`*_~@#]{1,3}$|[\p{L}\p{N}][-\u2010-\u2015]$/u
/** More characters than these patterns look at, from the edge of a text. */
const edgeCharacters = 8
/**
 * The beginning of a text before which no space is written: closing brackets, punctuation, quotation marks and marks of Markdown with nothing
 * that they could open after them.
 */
const closing =
  /^(?:[\p{Pe}\p{Pf}\s.,;:!?…،؛؟।%‰°]|["'`*_~]{1,3}(?=$|(?![\p{Ps}\p{Pi}"'`*_~#@¿¡])[\s\p{P}]))/u

/**
 * Finds what has to stand between two texts that follow each other. It is a space, unless there is one already, one of the texts is empty, the
 * first ends with an opening mark, the second begins with a closing one, both meet in a script that writes no spaces, or one meets the other with
 * the punctuation of such a script.
 */
export function findSeparator(before: string, after: string): '' | ' ' {
  const end = before.slice(-edgeCharacters)
  const start = after.slice(0, edgeCharacters)
  const last = Array.from(end).at(-1) ?? ''
  const [first = ''] = Array.from(start)
  if (last === '' || first === '' || opening.test(end) || closing.test(start)) return ''
  const isLastUnspaced = isUnspaced(Array.from(end).toReversed())
  const isFirstUnspaced = isUnspaced(Array.from(start))
  if (isLastUnspaced && isFirstUnspaced) return ''
  const isPunctuation = (isLastUnspaced && /\p{P}/u.test(last)) || (isFirstUnspaced && /\p{P}/u.test(first))
  return isPunctuation ? '' : ' '
}

/** @param inwards the characters of a text, beginning at the edge where the other text is */
const isUnspaced = (inwards: readonly string[]) =>
  unspaced.test(inwards.find((each) => !shared.test(each)) ?? '')
