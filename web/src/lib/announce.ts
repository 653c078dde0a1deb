import { useEffect, useRef, type RefObject } from 'react'
import { createStore } from './create-store.ts'

/** The text in the live region; a new id repeats the same text. */
export const announcementStore = createStore({ id: 0, text: '' })

/** Announces an event to screen readers, for changes without a live region of their own. Of several at once, the last one is announced. */
export const announce = (text: string): void =>
  announcementStore.setState({ id: announcementStore.getState().id + 1, text })

/**
 * Announces the text of an element when it appears and whenever it changes. Not every screen reader announces a status that appears together
 * with its text. So the element is no live region itself.
 * @returns the ref of the element
 */
export function useAnnouncedText<Announced extends HTMLElement>(): RefObject<Announced | null> {
  const element = useRef<Announced>(null)
  const announced = useRef<string | null>(undefined)
  // after every render: what is inside may have changed
  useEffect(() => {
    const text = element.current?.textContent
    if (text && text !== announced.current) announce(text)
    announced.current = text
  })
  return element
}
