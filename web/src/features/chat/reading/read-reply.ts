import { findLanguages, type DetectLanguages } from './sentence-languages.ts'
import { splitForReading } from './split-for-reading.ts'
import { readPlainText, readRenderedReply } from './spoken-text.ts'

/** The profiles of languages are large. Without them, texts have the browser's language. */
async function loadDetector(): Promise<DetectLanguages | undefined> {
  try {
    const { detectAll } = await import('tinyld')
    return (text, only) => detectAll(text, { only: [...only] }).map(({ lang }) => lang)
  } catch {
    return undefined
  }
}
/** Begun with this module, which is loaded shortly before it is needed. */
let detector = loadDetector()

/** The sentences of a reply with the languages to read them in. */
export async function prepareReading(
  reply: Element | string,
  voices: readonly Pick<SpeechSynthesisVoice, 'lang'>[],
): Promise<{ text: string; language: string }[]> {
  const blocks = typeof reply === 'string' ? readPlainText(reply) : readRenderedReply(reply)
  const sentences = blocks.flatMap(splitForReading)
  const detect = await detector
  // next time it is tried again
  if (!detect) detector = loadDetector()
  const languages = findLanguages(sentences, detect, {
    browserLanguages: navigator.languages,
    voiceLanguages: voices.flatMap(({ lang }) => lang || []),
  })
  return sentences.map((text, index) => ({ text, language: languages[index] ?? navigator.language }))
}
