/**
 * When the focused element disappears, browsers move the focus to the top of the page, which loses keyboard
 * and screen-reader users.
 */

const isGone = (element: Element) => !element.isConnected || element.matches(':disabled')
/** Whether no element has the focus. */
export const isFocusLost = () => document.activeElement === null || document.activeElement === document.body
const findOpenDialog = () => [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1)

/** The message field; null if there is none, or if focusing it would open an on-screen keyboard. */
export const findComposerToFocus = () =>
  matchMedia('(pointer: fine)').matches ? document.querySelector<HTMLElement>('[data-composer]') : null

/**
 * Moves the focus when the focused element disappears and nothing else takes it: to the open dialog, the composer on devices with a fine
 * pointer, otherwise the page's heading. Call once, at the start.
 */
export function startFocusRestore(): void {
  let last: Element | undefined
  let isScheduled = false
  const restore = () => {
    isScheduled = false
    if (!last || !isGone(last) || !isFocusLost()) return
    const target = findOpenDialog() ?? findComposerToFocus() ?? document.querySelector<HTMLElement>('h1')
    if (!target) return
    if (target.tagName === 'H1') target.tabIndex = -1
    target.focus({ preventScroll: true })
  }
  const onFocusIn = ({ target }: FocusEvent) => {
    if (target instanceof Element) last = target
  }
  const onFocusOut = ({ target }: FocusEvent) => {
    // a blur is intended unless the element is being removed
    queueMicrotask(() => {
      if (target === last && last && !isGone(last)) last = undefined
    })
  }
  document.addEventListener('focusin', onFocusIn, { capture: true })
  document.addEventListener('focusout', onFocusOut, { capture: true })
  new MutationObserver(() => {
    if (isScheduled || !last || !isGone(last)) return
    isScheduled = true
    // a closing dialog restores the focus itself within the next frames, however long they take
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(restore, graceMs)))
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
}

const graceMs = 60
