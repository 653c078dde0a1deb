/**
 * Watches whether the user stays where they are.
 * @returns whether they have: the page is the same, no other dialog has opened, and nothing was typed since
 */
export function watchPresence(): () => boolean {
  const { href } = location
  const dialog = findDialog()
  let hasTyped = false
  const noteInput = () => (hasTyped = true)
  addEventListener('input', noteInput, { capture: true, once: true })
  return () => {
    removeEventListener('input', noteInput, { capture: true })
    const current = findDialog()
    return !hasTyped && location.href === href && (!current || current === dialog)
  }
}

const findDialog = () => document.querySelector('[role=dialog],[role=alertdialog]')
