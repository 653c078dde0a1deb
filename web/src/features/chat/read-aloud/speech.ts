import { createStore } from '../../../lib/browser/create-store.ts'

/** The id of the message that is being read aloud, or is about to be; undefined if none is. */
export const spokenMessageId = createStore<string | undefined>(undefined)

const synthesis = 'speechSynthesis' in globalThis ? globalThis.speechSynthesis : undefined

/** Whether the browser has voices. Some browsers find theirs a while after the page has loaded. */
export const hasVoices = (): boolean => (synthesis?.getVoices().length ?? 0) > 0

/** Calls `listener` when the browser has found its voices. @returns unsubscribes */
export function subscribeToVoices(listener: () => void): () => void {
  synthesis?.addEventListener('voiceschanged', listener)
  return () => synthesis?.removeEventListener('voiceschanged', listener)
}

/** Stops reading aloud, whichever message is read; does nothing in a browser without speech. */
export function stopReading(): void {
  synthesis?.cancel()
  spokenMessageId.setState(undefined)
}

/** Loads the code that prepares a reply for reading. `ReadAloudButton` calls it when the pointer or the focus comes near. */
export const loadReader = () => import('./read-reply.ts')

/** Counts the starts, to tell apart two of the same message. */
let startCount = 0

/**
 * Reads a reply aloud. Ends what was being read before.
 * @param id of its message
 * @param reply the rendered reply, or its text while it is shown as plain text
 * @throws if the code could not be loaded
 */
export async function startReading(id: string, reply: Element | string): Promise<void> {
  if (!synthesis) return
  stopReading()
  spokenMessageId.setState(id)
  startCount += 1
  const start = startCount
  /** false once this was stopped, or something was started after it */
  const isCurrent = () => start === startCount && spokenMessageId.getState() === id
  const end = () => {
    if (isCurrent()) spokenMessageId.setState(undefined)
  }
  try {
    const { prepareReading } = await loadReader()
    const parts = prepareReading(reply, synthesis.getVoices())
    if (!isCurrent()) return
    if (parts.length === 0) return end()
    for (const [index, { text, language }] of parts.entries()) {
      const utterance = new SpeechSynthesisUtterance(text)
      utterance.lang = language
      // they are spoken one after the other, also if there is no voice for one of them. A browser may refuse all because the click was too
      // long ago; the next click finds the code loaded
      if (index === parts.length - 1)
        for (const type of ['end', 'error']) utterance.addEventListener(type, end)
      synthesis.speak(utterance)
    }
  } catch (error) {
    end()
    throw error
  }
}
