import clsx from 'clsx'
import { useEffect, useEffectEvent, useState, type CSSProperties, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { createStore, useStore } from '../../../lib/browser/create-store.ts'

/**
 * A frame on the sandbox's origin. A button covers it until the user has moved the focus into the section around it.
 * @param frameRef set to the frame
 * @param onTakeover called when the frame has taken the focus from elsewhere; has to remove the frame at once
 */
export function SandboxedFrame({
  frameRef,
  origin,
  title,
  buttonLabel,
  isFullHeight = false,
  style,
  onTakeover,
}: {
  frameRef: RefObject<HTMLIFrameElement | null>
  origin: string
  title: string
  buttonLabel: string
  isFullHeight?: boolean
  style: CSSProperties
  onTakeover: () => void
}) {
  const { isUsable } = useFocusGuard(frameRef, (restoreFocus) => {
    // removed before the focus moves: a frame that is still there could take it again
    flushSync(onTakeover)
    restoreFocus()
  })
  return (
    <div className={clsx('relative', isFullHeight && 'h-full')}>
      <iframe
        ref={frameRef}
        src={`${origin}/`}
        title={title}
        // its origin is not that of the page: it keeps it, so that its messages can be told from others
        sandbox="allow-scripts allow-same-origin allow-forms"
        referrerPolicy="no-referrer"
        className={clsx('block w-full', isFullHeight && 'h-full')}
        style={style}
      />
      {/* after the frame in the tab order, so that Shift+Tab from outside the section reaches the button and not the frame */}
      <button
        type="button"
        onClick={() => frameRef.current?.focus({ preventScroll: true })}
        className={clsx(
          'group absolute inset-0 grid place-items-end p-2 -outline-offset-2',
          isUsable && 'pointer-events-none',
        )}
      >
        <span className="rounded-sm bg-surface-overlay px-2 py-1 text-xs opacity-0 shadow-dialog outline outline-line group-hover:opacity-100 group-focus-visible:opacity-100">
          {buttonLabel}
        </span>
      </button>
    </div>
  )
}

/** How often the focus is checked. There is no event when an app moves it while the window is not active. */
const checkEveryMs = 200

/**
 * Watches that the keyboard focus enters an app only from the card around it, into which the user has moved it by a press or by Tab. Where the
 * frame has it, it may keep it until the focus leaves. A page gets no events of presses inside a frame of another origin, so something has to
 * cover the frame while `isUsable` is false.
 * @param frame a frame inside the card, which is a section
 * @param onTakeover called when the app has taken the focus from elsewhere. It has to remove the frame at once and then call `restore`, because
 * an app that stays could take the focus again between two keys
 */
function useFocusGuard(
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
    // the user has pressed elsewhere, but the focus is still in the frame: touch moves it at the end of a tap, and not at all when it scrolls
    let isLeaving = false
    usableStore.setState(isAllowed)

    const allow = (target: EventTarget | null) => {
      isAllowed = target instanceof Node && card.contains(target)
      isLeaving = false
      usableStore.setState(isAllowed)
    }
    const leave = () => {
      if (isLeaving) allow(null)
    }
    const check = () => {
      if (document.activeElement !== node) return leave()
      if (isAllowed) return
      reportTakeover(() => {
        if (lastFocused instanceof HTMLElement) lastFocused.focus({ preventScroll: true })
      })
    }
    const onFocus = ({ target }: FocusEvent) => {
      if (target === node) return check()
      lastFocused = document.activeElement
      allow(target)
    }
    const onPress = ({ target }: PointerEvent) => {
      const isInside = target instanceof Node && card.contains(target)
      if (!isInside && isAllowed && document.activeElement === node) isLeaving = true
      else allow(target)
    }
    document.addEventListener('focusin', onFocus)
    document.addEventListener('pointerdown', onPress, true)
    document.addEventListener('visibilitychange', check)
    addEventListener('blur', check)
    // the focus has left the frame, also if no element has it now
    addEventListener('focus', leave)
    const timer = setInterval(check, checkEveryMs)
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('pointerdown', onPress, true)
      document.removeEventListener('visibilitychange', check)
      removeEventListener('blur', check)
      removeEventListener('focus', leave)
      clearInterval(timer)
    }
  }, [frame, usableStore])
  return { isUsable: useStore(usableStore) }
}
