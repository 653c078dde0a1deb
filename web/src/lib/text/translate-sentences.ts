import type { ReceivedCode } from './translate-code.ts'
import { translateCode } from './translate.ts'

/**
 * Translates sentences that the service has joined. The English text stays if one of them is not known.
 * @param text of all of them, in English
 * @param codes of each; none for what releases before codes have stored
 */
export function translateSentences(
  text: string,
  codes: readonly ReceivedCode[] | undefined,
  separator = ' ',
): string {
  if (!translateCode || !codes?.length) return text
  const sentences = codes.map(translateCode)
  return sentences.every((one) => one !== undefined) ? sentences.join(separator) : text
}
