/** A sentence with names and numbers: the English texts between them, and the translation, with the positions of names and numbers. */
export type SentencePattern = readonly [english: readonly string[], translation: readonly (string | number)[]]

/** @returns what stands between the texts, or undefined if the sentence is another one */
function match(english: readonly string[], sentence: string): string[] | undefined {
  const [first = '', ...others] = english
  const last = others.at(-1) ?? ''
  if (!sentence.startsWith(first) || !sentence.endsWith(last)) return undefined
  const values: string[] = []
  let start = first.length
  for (const [index, text] of others.entries()) {
    const end = index === others.length - 1 ? sentence.length - text.length : sentence.indexOf(text, start)
    if (end < start) return undefined
    values.push(sentence.slice(start, end))
    start = end + text.length
  }
  return values
}

/**
 * Makes a translator of the sentences that the service sends, which are English and ready to be shown. Those that it does not know stay
 * English.
 * @param sentences translations by the English sentence
 * @param codes translations by the code of an error, for those of another version of the service
 */
export function createSentenceTranslator(
  sentences: Readonly<Record<string, unknown>>,
  codes: Readonly<Record<string, string>>,
  patterns: readonly SentencePattern[],
): (sentence: string, code?: string) => string {
  const translateKnown = (sentence: string): string | undefined => {
    const translation = Object.hasOwn(sentences, sentence) ? sentences[sentence] : undefined
    if (typeof translation === 'string') return translation
    for (const [english, parts] of patterns) {
      const values = match(english, sentence)
      if (!values) continue
      const value = (index: number) => values[index] ?? ''
      // a value may be a sentence itself: 'Service error: …'
      return parts
        .map((part) => (typeof part === 'string' ? part : (translateKnown(value(part)) ?? value(part))))
        .join('')
    }
    return undefined
  }
  return (sentence, code) =>
    translateKnown(sentence) ??
    (code !== undefined && Object.hasOwn(codes, code) ? codes[code] : undefined) ??
    sentence
}
