/** Whether an element can have the focus no more. */
export const isGone = (element: Element): boolean => !element.isConnected || element.matches(':disabled')
/** Whether no element has the focus. */
export const isFocusLost = () => document.activeElement === null || document.activeElement === document.body

/** The message field; null if there is none, or if focusing it would open an on-screen keyboard. */
export const findComposerToFocus = () =>
  matchMedia('(pointer: fine)').matches ? document.querySelector<HTMLElement>('[data-composer]') : null
