import { useEffect, useEffectEvent, useState, type RefObject } from 'react'
import { createStore, useStore } from '../../../lib/create-store.ts'

/** A browser tells the page about a moved focus only while its window has the focus: an app may move it before. */
const checkEveryMs = 200

/**
 * Watches that the keyboard focus enters an app only from the app's card, where the user has led it by a press or by Tab. A page does not
 * learn of presses inside a frame of another origin, so something has to cover the frame while `isUsable` is false.
 * @param frame inside the card, which is a section
 * @param onTakeover called when the app has taken the focus from elsewhere: remove the frame at once, then call `restore`. Moving the focus
 *   back is not enough: the app would get every second key
 */
export function useFocusGuard(
  frame: RefObject<HTMLIFrameElement | null>,
  onTakeover: (restore: () => void) => void,
): { isUsable: boolean } {
  const [usable] = useState(() => createStore(false))
  const reportTakeover = useEffectEvent(onTakeover)
  useEffect(() => {
    const node = frame.current
    const card = node?.closest('section')
    if (!card) return
    let lastFocused = document.activeElement
    let isAllowed = card.contains(lastFocused)
    usable.setState(isAllowed)

    const check = () => {
      if (document.activeElement !== node || isAllowed) return
      reportTakeover(() => {
        if (lastFocused instanceof HTMLElement) lastFocused.focus({ preventScroll: true })
      })
    }
    const allow = (target: EventTarget | null) => {
      isAllowed = target instanceof Node && card.contains(target)
      usable.setState(isAllowed)
    }
    const onFocus = ({ target }: FocusEvent) => {
      if (target === node) return check()
      lastFocused = document.activeElement
      allow(target)
    }
    const onPress = ({ target }: PointerEvent) => allow(target)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('pointerdown', onPress, true)
    document.addEventListener('visibilitychange', check)
    addEventListener('blur', check)
    const timer = setInterval(check, checkEveryMs)
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('pointerdown', onPress, true)
      document.removeEventListener('visibilitychange', check)
      removeEventListener('blur', check)
      clearInterval(timer)
    }
  }, [frame, usable])
  return { isUsable: useStore(usable) }
}
