import { findLanguages, type DetectLanguages } from './sentence-languages.ts'
import { splitForReading } from './split-for-reading.ts'
import { readPlainText, readRenderedReply } from './spoken-text.ts'

/** Loads the language detector, whose profiles are large. @returns undefined if that fails: texts are then read in the browser's language */
async function loadDetector(): Promise<DetectLanguages | undefined> {
  try {
    const { detectAll } = await import('tinyld')
    return (text, only) => detectAll(text, { only: [...only] }).map(({ lang }) => lang)
  } catch {
    return undefined
  }
}
/** Loads with this module, which is itself loaded shortly before it is needed. */
let detector = loadDetector()

/**
 * Splits a reply into sentences and finds the language to read each in.
 * @param reply the rendered reply, or its text
 * @returns tags of languages such as `de-AT`; empty if nothing can be read
 */
export async function prepareReading(
  reply: Element | string,
  voices: readonly Pick<SpeechSynthesisVoice, 'lang'>[],
): Promise<{ text: string; language: string }[]> {
  const blocks = typeof reply === 'string' ? readPlainText(reply) : readRenderedReply(reply)
  const sentences = blocks.flatMap(splitForReading)
  const detect = await detector
  // try again the next time
  if (!detect) detector = loadDetector()
  const languages = findLanguages(sentences, detect, {
    browserLanguages: navigator.languages,
    voiceLanguages: voices.flatMap(({ lang }) => lang || []),
  })
  return sentences.map((text, index) => ({ text, language: languages[index] ?? navigator.language }))
}
