/** Letters that Unicode does not decompose, as people write them on another keyboard. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  // Arabic letters that Persian and Urdu keyboards write
  ی: 'ي',
  ى: 'ي',
  ک: 'ك',
}
const letterPattern = /[ßæœøłđðþħıیىک]/g
/**
 * Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic, and what has no width. Signs of Indic scripts and Thai, and the voice
 * marks of kana, are letters.
 */
const marks =
  // oxlint-disable-next-line no-misleading-character-class -- the marks themselves are meant
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u00ad\u200b-\u200f\u2060\ufeff]/g
const apostrophes = /[\u2018\u2019\u02bc\u00b4\u0060]/g
const dashes = /[\u2010-\u2015\u2212]/g

/**
 * A text as it is compared: lower case, without accents, in one width, with plain apostrophes and dashes.
 * @see https://unicode.org/reports/tr15/ (compatibility decomposition)
 */
export function fold(text: string): string {
  return (
    text
      // an acute accent that stands alone would become a blank and a mark
      .replaceAll(apostrophes, "'")
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(marks, '')
      .replaceAll(dashes, '-')
      .replaceAll(letterPattern, (letter) => letters[letter] ?? letter)
      .normalize('NFC')
  )
}

/** Words of letters, digits and signs, with apostrophes inside. */
const word = /[\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{N}\p{M}]+)*/gu
/** Scripts that write words without blanks, and Hangul, whose words carry endings. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu
const hasDigit = /\p{N}/u
const isNumber = /^\p{N}+$/u
/** Digits of the end of a number that is found by itself: a telephone number without its prefix. */
const leastNumberEnd = 6
const isGroup = /^\p{N}{1,4}$/u
/** the beginning of an IBAN */
const isAccount = /^[a-z]{2}\p{N}{2}$/u

/** Longer words are compared by their beginning. */
const maxTermLength = 48

const cut = (term: string) => (term.length > maxTermLength ? term.slice(0, maxTermLength) : term)

/** Pairs of letters, and the last letter, so that a single letter is found as the beginning of a pair. */
function emitPairs(run: string, emit: (term: string) => void): void {
  const signs = Array.from(run)
  for (const [index, sign] of signs.entries()) emit(`${sign}${signs[index + 1] ?? ''}`)
}

function emitWord(text: string, stem: (word: string) => string, emit: (term: string) => void): void {
  if (!text.includes("'")) {
    const term = cut(text)
    emit(term)
    const stemmed = stem(term)
    if (stemmed !== term && stemmed.length > 1) emit(stemmed)
    return
  }
  const parts = text.split("'")
  emit(cut(parts.join('')))
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best))
  emitWord(longest, stem, emit)
}

/**
 * Calls `emit` with each term of a folded text, in its order: words and their stems, pairs of letters in scripts without blanks, the
 * parts of a number or code and all parts together (`p-4471` gives `p`, `4471` and `p4471`; `1,234,567` also `1234567`; the groups of
 * an account's number are joined, too), and the longer ends of a number in groups (`+43 316 774 2209` also gives `7742209`).
 * @param text as `fold` gives it
 * @param stem of a word in the language of the text; the word itself where there is none
 */
export function forEachTerm(
  text: string,
  stem: (word: string) => string,
  emit: (term: string) => void,
): void {
  let run: string[] = []
  let end = -1
  /** the parts so far are joined by signs, or by blanks */
  let joint = ''
  const endRun = () => {
    if (run.length > 1 && run.some((part) => hasDigit.test(part))) emit(cut(run.join('')))
    if (run.length > 1 && run.every((part) => isNumber.test(part)))
      for (let from = 1; from < run.length; from += 1) {
        const rest = run.slice(from).join('')
        if (rest.length >= leastNumberEnd) emit(cut(rest))
      }
    run = []
    joint = ''
  }
  for (const { 0: found, index } of text.matchAll(word)) {
    const between = index - end === 1 ? text.charAt(end) : ''
    end = index + found.length
    const kind = between === ' ' ? 'blank' : "-./,:_'’·".includes(between) && between !== '' ? 'sign' : ''
    const part = found.includes("'") ? found.replaceAll("'", '') : found
    const last = run.at(-1) ?? ''
    // a group that is shorter than the second one is the last
    const goesOn =
      kind === 'sign'
        ? joint !== 'blank'
        : kind === 'blank' &&
          joint !== 'sign' &&
          isGroup.test(part) &&
          (run.length === 1 ? isGroup.test(last) || isAccount.test(last) : last.length === run[1]?.length)
    if (!goesOn) {
      endRun()
      if (kind === 'sign') run = [last]
    }
    joint = kind
    if (run.length < 12) run.push(part)
    let from = 0
    for (const { 0: signs, index: at } of found.matchAll(unspaced)) {
      if (at > from) emitWord(trimApostrophes(found.slice(from, at)), stem, emit)
      emitPairs(signs, emit)
      from = at + signs.length
    }
    if (from < found.length) emitWord(trimApostrophes(found.slice(from)), stem, emit)
  }
  endRun()
}

const trimApostrophes = (text: string) =>
  text.startsWith("'") || text.endsWith("'") ? text.split("'").filter(Boolean).join("'") : text
