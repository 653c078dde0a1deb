import { language as pageLanguage } from '../../../lib/text/locale.ts'
import { findLanguages } from './sentence-languages.ts'
import { splitForReading } from './split-for-reading.ts'
import { readPlainText, readRenderedReply } from './spoken-text.ts'

/**
 * Splits a reply into sentences and finds the language to read each in.
 * @param reply the rendered reply, or its text
 * @returns tags of languages such as `de-AT`; empty if nothing can be read
 */
export function prepareReading(
  reply: Element | string,
  voices: readonly Pick<SpeechSynthesisVoice, 'lang'>[],
): { text: string; language: string }[] {
  const blocks = typeof reply === 'string' ? readPlainText(reply) : readRenderedReply(reply)
  const sentences = blocks.flatMap(splitForReading)
  const languages = findLanguages(sentences, {
    pageLanguage,
    browserLanguages: navigator.languages,
    voiceLanguages: voices.flatMap(({ lang }) => lang || []),
  })
  return sentences.map((text, index) => ({ text, language: languages[index] ?? pageLanguage }))
}
