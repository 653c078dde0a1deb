/** A sentence of fewer letters and digits says too little to tell whose it is: "Thanks a lot". */
const minSentenceCharacters = 12

const wordPattern = /[\p{L}\p{M}\p{N}]+/gu

const listWords = (text: string): readonly string[] =>
  text.normalize('NFKC').toLowerCase().match(wordPattern) ?? []

/** The sentences and lines of a text, without punctuation, blanks and letter case. */
const listSentences = (text: string): string[] =>
  text
    .split(/[\n.!?;。！？；]/)
    .map((sentence) => listWords(sentence).join(''))
    .filter((sentence) => sentence.length >= minSentenceCharacters)

/** Of so many words in a row, one can tell where they are from. */
const runLength = 3

const listRuns = (words: readonly string[]): string[] =>
  words.slice(runLength - 1).map((_, index) => words.slice(index, index + runLength).join(' '))

/**
 * Whether a text is mostly another one: half of its words stand there in rows of three, or a whole sentence of it does. Both texts may be
 * long; takes time in proportion to their lengths.
 */
export function isMostlySameText(text: string, original: string): boolean {
  const words = listWords(text)
  const originalWords = listWords(original)
  if (words.join(' ') === originalWords.join(' ')) return true
  const originalRuns = new Set(listRuns(originalWords))
  const known = new Set<number>()
  for (const [start, run] of listRuns(words).entries())
    if (originalRuns.has(run)) for (let offset = 0; offset < runLength; offset += 1) known.add(start + offset)
  if (known.size > 0 && known.size * 2 >= words.length) return true
  const originalSentences = new Set(listSentences(original))
  return listSentences(text).some((sentence) => originalSentences.has(sentence))
}
