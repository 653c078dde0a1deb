/** A longer message is pasted rather than typed. */
const maxTypedCharacters = 500

/** What a sentence may say before the fact, in words as `listWords` gives them. */
const request =
  /^(?:(?:please|can you|could you|would you|will you|also) )*(?:remember|note|memori[sz]e|keep in mind|don t forget|do not forget)(?: (?:please|that|this|for later))* /

/**
 * Whether a fact is what the user has just typed: a sentence of the message, or several in a row, whole and word for word, where the first
 * may begin with a request such as "Please remember that". So no word is added, left out or moved, and nothing but the user can have
 * written it. Punctuation and letter case do not count. Not typed: messages of more than 500 characters, and lines that quote (">").
 * @param message the text of the user's message of this turn, without its files
 */
export function isTypedFact(fact: string, message: string): boolean {
  if (message.length > maxTypedCharacters) return false
  const words = listWords(fact)
  const sentences = message
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('>'))
    .flatMap((line) => line.split(/(?<=[.!?;])\s/))
    .map(listWords)
    .filter((sentence) => sentence !== '')
  return (
    words !== '' &&
    sentences.some((first, start) =>
      [first, first.replace(request, '')].some((beginning) => {
        let text = beginning
        for (const next of sentences.slice(start + 1)) {
          if (text.length >= words.length) break
          text += ` ${next}`
        }
        return text === words
      }),
    )
  )
}

/** The words of a text in lower case, with one blank between them. */
const listWords = (text: string): string =>
  (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).join(' ')
