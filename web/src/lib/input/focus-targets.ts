import { findComposer } from './composer-text.ts'

/** Whether an element can no longer have the focus: it was removed or disabled. */
export const isUnfocusable = (element: Element): boolean =>
  !element.isConnected || element.matches(':disabled')

/** Whether no element has the focus. */
export const isFocusLost = () => document.activeElement === null || document.activeElement === document.body

/** The dialog in front; undefined where none is open. */
export const findOpenDialog = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('[role=dialog],[role=alertdialog]')].at(-1)

/** The field of the composer; null where there is none, and on touch screens, where focusing it would open the on-screen keyboard. */
export const findComposerToFocus = () => (matchMedia('(pointer: fine)').matches ? findComposer() : null)
