import { findComposerToFocus, findOpenDialog, isFocusLost, isUnfocusable } from './focus-targets.ts'

// when the focused element disappears, browsers move the focus to the top of the page, which loses keyboard and screen-reader users

/** How long a closing dialog may take to restore the focus itself, after two frames. */
const graceMs = 60

/** The forms, cards and sections that an element is in, from the inside. */
function listSurroundings(element: Element | null): HTMLElement[] {
  const inner = element?.closest<HTMLElement>('form, article, section')
  return inner ? [inner, ...listSurroundings(inner.parentElement)] : []
}

/** Follows which element has the focus, and what had it before. */
function trackFocus() {
  let last: Element | undefined
  let before: HTMLElement | undefined
  /** of the last one, noted while it is still in the page */
  let surroundings: readonly HTMLElement[] = []
  const onFocusIn = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return
    if (last instanceof HTMLElement && last !== target) before = last
    last = target
    surroundings = listSurroundings(target.parentElement)
  }
  const onFocusOut = ({ target }: FocusEvent) => {
    // a blur is intended unless the element is being removed
    queueMicrotask(() => {
      if (target === last && last && !isUnfocusable(last)) last = undefined
    })
  }
  document.addEventListener('focusin', onFocusIn, { capture: true })
  document.addEventListener('focusout', onFocusOut, { capture: true })
  return {
    /** Whether the element with the focus has disappeared. */
    isGone: () => last !== undefined && isUnfocusable(last),
    /** What had the focus before, in the innermost surroundings that are left, or these. */
    findNearby: () => {
      const container = surroundings.find((each) => each.isConnected)
      return before && !isUnfocusable(before) && container?.contains(before) ? before : container
    },
    stop: () => {
      document.removeEventListener('focusin', onFocusIn, { capture: true })
      document.removeEventListener('focusout', onFocusOut, { capture: true })
    },
  }
}

/**
 * Moves the focus when the focused element disappears and nothing else takes it: to the open dialog; to the composer on devices with a fine
 * pointer; to what had the focus before in the same form, card or section, or to that; otherwise to the page's heading.
 * @returns stops that
 */
export function startFocusRestore(): () => void {
  const { isGone, findNearby, stop } = trackFocus()
  let isScheduled = false
  const restore = () => {
    isScheduled = false
    if (!isGone() || !isFocusLost()) return
    const target =
      findOpenDialog() ?? findComposerToFocus() ?? findNearby() ?? document.querySelector<HTMLElement>('h1')
    if (!target) return
    // neither headings nor sections have the focus by themselves
    if (target.tabIndex < 0) target.tabIndex = -1
    target.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(() => {
    if (isScheduled || !isGone()) return
    isScheduled = true
    // frames, because a slow device draws few of them
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(restore, graceMs)))
  })
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    stop()
    observer.disconnect()
  }
}
