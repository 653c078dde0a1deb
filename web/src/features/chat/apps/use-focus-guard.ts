import { useEffect, useEffectEvent, useState, type RefObject } from 'react'
import { createStore, useStore } from '../../../lib/create-store.ts'

/** How often the focus is checked. There is no event when an app moves it while the window is not active. */
const checkEveryMs = 200

/**
 * Watches that the keyboard focus enters an app only from the card around it, into which the user has moved it by a press or by Tab. A page gets
 * no events of presses inside a frame of another origin, so something has to cover the frame while `isUsable` is false.
 * @param frame a frame inside the card, which is a section
 * @param onTakeover called when the app has taken the focus from elsewhere. It has to remove the frame at once and then call `restore`, because
 * an app that stays could take the focus again between two keys
 */
export function useFocusGuard(
  frame: RefObject<HTMLIFrameElement | null>,
  onTakeover: (restore: () => void) => void,
): { isUsable: boolean } {
  const [usableStore] = useState(() => createStore(false))
  const reportTakeover = useEffectEvent(onTakeover)
  useEffect(() => {
    const node = frame.current
    const card = node?.closest('section')
    if (!card) return
    let lastFocused = document.activeElement
    let isAllowed = card.contains(lastFocused)
    usableStore.setState(isAllowed)

    const check = () => {
      if (document.activeElement !== node || isAllowed) return
      reportTakeover(() => {
        if (lastFocused instanceof HTMLElement) lastFocused.focus({ preventScroll: true })
      })
    }
    const allow = (target: EventTarget | null) => {
      isAllowed = target instanceof Node && card.contains(target)
      usableStore.setState(isAllowed)
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
  }, [frame, usableStore])
  return { isUsable: useStore(usableStore) }
}
