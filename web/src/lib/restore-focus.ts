/** Somebody who moves by keyboard, or listens, begins at the top of the page again when what had the focus goes away. */

const isGone = (element: Element) => !element.isConnected || element.matches(':disabled')
const nothingHasFocus = () => document.activeElement === null || document.activeElement === document.body
const openDialog = () => [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1)

/** The field that one writes messages in; null where there is none, and where focus would open a keyboard over the page. */
export const findComposer = () =>
  matchMedia('(pointer: fine)').matches ? document.querySelector<HTMLElement>('[data-composer]') : null

/**
 * Moves the focus when what had it has gone and nothing else has taken it: to the open dialog, the composer where no
 * keyboard would cover the screen for it, else the heading of the page, which says where one is. Call once, at the start.
 */
export function keepFocus(): void {
  let last: Element | undefined
  let looking = false
  const look = () => {
    looking = false
    if (!last || !isGone(last) || !nothingHasFocus()) return
    const target = openDialog() ?? findComposer() ?? document.querySelector<HTMLElement>('h1')
    if (!target) return
    if (target.tagName === 'H1') target.tabIndex = -1
    target.focus({ preventScroll: true })
  }
  const noteArrival = ({ target }: FocusEvent) => {
    if (target instanceof Element) last = target
  }
  const noteLeaving = ({ target }: FocusEvent) => {
    // on purpose, unless it is on its way out
    queueMicrotask(() => {
      if (target === last && last && !isGone(last)) last = undefined
    })
  }
  document.addEventListener('focusin', noteArrival, { capture: true })
  document.addEventListener('focusout', noteLeaving, { capture: true })
  new MutationObserver(() => {
    if (looking || !last || !isGone(last)) return
    looking = true
    // a dialog that closes gives the focus back itself, in one of the next frames, however long these take
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(look, graceMs)))
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
}

const graceMs = 60
