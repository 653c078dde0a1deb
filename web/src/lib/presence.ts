/**
 * Begins to watch whether the user stays where they are, so that the result of an action may take them to another page.
 * @returns ends watching. It returns whether they have stayed: the address is the same, no other dialog has opened, nothing was typed
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
