import { createStore } from '../../../lib/create-store.ts'

/** The reply that is read aloud. */
export const readingId = createStore<string | undefined>(undefined)

const synthesis = 'speechSynthesis' in globalThis ? globalThis.speechSynthesis : undefined

/** A browser may know its voices only later, and may have none. */
export const hasVoices = (): boolean => (synthesis?.getVoices().length ?? 0) > 0

export function subscribeToVoices(listener: () => void): () => void {
  synthesis?.addEventListener('voiceschanged', listener)
  return () => synthesis?.removeEventListener('voiceschanged', listener)
}

/** Browsers stop in the middle of long texts. */
const maxPartCharacters = 200

/** Sentences; long ones in parts of whole words. */
export function splitForReading(text: string): string[] {
  const sentences = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)]
  return sentences.flatMap(({ segment }) => {
    const parts: string[] = []
    let rest = segment.trim()
    while (rest.length > maxPartCharacters) {
      const space = rest.lastIndexOf(' ', maxPartCharacters)
      const end = space > 0 ? space : maxPartCharacters
      parts.push(rest.slice(0, end))
      rest = rest.slice(end).trimStart()
    }
    return rest === '' ? parts : [...parts, rest]
  })
}

const scripts: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Greek}/u, 'el'],
]

/** The language to read a text in: that of its script, or the browser's if it has the script. Otherwise English. */
export function guessLanguage(text: string, browserLanguage: string): string {
  const language = scripts.find(([script]) => script.test(text))?.[1]
  if (language !== undefined) return browserLanguage.startsWith(language) ? browserLanguage : language
  return scripts.some(([, other]) => browserLanguage.startsWith(other)) ? 'en' : browserLanguage
}

/** What is left out: buttons, code, and the second of the two forms of a formula. */
const unread = '[data-not-copied], pre, annotation, .katex-html'

/** The text of a rendered reply as it is read. */
export function readReplyText(reply: Element): string {
  const copy = reply.cloneNode(true) as Element
  for (const element of copy.querySelectorAll(unread)) element.remove()
  for (const block of copy.querySelectorAll('p, li, h3, td, th, blockquote')) block.append('\n')
  return copy.textContent.trim()
}

export function stopReading(): void {
  synthesis?.cancel()
  readingId.setState(undefined)
}

/** Reads a text; what was read before ends. */
export function startReading(id: string, text: string): void {
  if (!synthesis) return
  stopReading()
  const parts = splitForReading(text)
  if (parts.length === 0) return
  readingId.setState(id)
  const lang = guessLanguage(text, navigator.language)
  parts.forEach((part, index) => {
    const utterance = new SpeechSynthesisUtterance(part)
    utterance.lang = lang
    const end = () => {
      if (readingId.getState() === id) readingId.setState(undefined)
    }
    if (index === parts.length - 1) utterance.addEventListener('end', end)
    // a cancelled one, too: by then another reply may be read
    utterance.addEventListener('error', ({ error }) => {
      if (error !== 'canceled' && error !== 'interrupted') end()
    })
    synthesis.speak(utterance)
  })
}
