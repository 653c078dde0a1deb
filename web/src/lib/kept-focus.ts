/** Somebody who moves by keyboard, or listens, begins at the top of the page again when what had the focus goes away. */

const isGone = (element: Element) => !element.isConnected || element.matches(':disabled')
const nothingHasFocus = () => document.activeElement === null || document.activeElement === document.body
const openDialog = () => [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1)
const composer = () =>
  matchMedia('(pointer: fine)').matches ? document.querySelector<HTMLElement>('[data-composer]') : null

/**
 * Gives the focus a place when what had it has gone and nobody has given it another: the open dialog, the composer where no
 * keyboard would cover the screen for it, else the heading of the page, which says where one is. Call once, at the start.
 */
export function keepFocus(): void {
  let last: Element | undefined
  let looking = false
  const look = () => {
    looking = false
    if (!last || !isGone(last) || !nothingHasFocus()) return
    const place = openDialog() ?? composer() ?? document.querySelector<HTMLElement>('h1')
    if (!place) return
    if (place.tagName === 'H1') place.tabIndex = -1
    place.focus({ preventScroll: true })
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
    // a dialog that closes gives the focus back itself
    setTimeout(look, graceMs)
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
}

const graceMs = 60
