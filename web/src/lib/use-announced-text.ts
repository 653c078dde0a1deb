import { useEffect, useRef, type RefObject } from 'react'
import { announce } from './announce.ts'

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
