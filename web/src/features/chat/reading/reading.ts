import { createStore } from '../../../lib/create-store.ts'

/** The reply that is read aloud. */
export const readingId = createStore<string | undefined>(undefined)

const synthesis = 'speechSynthesis' in globalThis ? globalThis.speechSynthesis : undefined

/** A browser may know its voices only later, and may have none. */
export const hasVoices = (): boolean => (synthesis?.getVoices().length ?? 0) > 0

/** Calls `listener` when the browser has found its voices. @returns unsubscribes */
export function subscribeToVoices(listener: () => void): () => void {
  synthesis?.addEventListener('voiceschanged', listener)
  return () => synthesis?.removeEventListener('voiceschanged', listener)
}

/** Ends what is being read aloud. */
export function stopReading(): void {
  synthesis?.cancel()
  readingId.setState(undefined)
}

/** Most replies are not read aloud: the code is loaded when the pointer or the focus comes near. */
export const loadReader = () => import('./read-reply.ts')

/**
 * Reads a reply; what was read before ends.
 * @param reply as it is rendered, or its text as long as it is shown as plain text
 * @throws if the code could not be loaded
 */
export async function startReading(id: string, reply: Element | string): Promise<void> {
  if (!synthesis) return
  stopReading()
  readingId.setState(id)
  const end = () => {
    if (readingId.getState() === id) readingId.setState(undefined)
  }
  try {
    const { prepareReading } = await loadReader()
    const parts = await prepareReading(reply, synthesis.getVoices())
    // meanwhile it was stopped, or another reply is read
    if (readingId.getState() !== id) return
    parts.forEach(({ text, language }, index) => {
      const utterance = new SpeechSynthesisUtterance(text)
      utterance.lang = language
      if (index === parts.length - 1) utterance.addEventListener('end', end)
      // a cancelled one, too: by then another reply may be read. A browser may refuse because the click was too long ago: the next one
      // finds the code loaded
      utterance.addEventListener('error', ({ error }) => {
        if (error !== 'canceled' && error !== 'interrupted') end()
      })
      synthesis.speak(utterance)
    })
    if (parts.length === 0) end()
  } catch (error) {
    end()
    throw error
  }
}
