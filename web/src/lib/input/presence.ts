import { findOpenDialog } from './focus-targets.ts'

/**
 * Begins to watch whether the user stays where they are, so that the result of an action may take them to another page.
 * @returns ends watching. It returns whether they have stayed: the address is the same, no other dialog has opened, nothing was typed
 */
export function watchPresence(): () => boolean {
  const { href } = location
  const dialog = findOpenDialog()
  let hasTyped = false
  const noteInput = () => (hasTyped = true)
  addEventListener('input', noteInput, { capture: true, once: true })
  return () => {
    removeEventListener('input', noteInput, { capture: true })
    const current = findOpenDialog()
    return !hasTyped && location.href === href && (!current || current === dialog)
  }
}
