import { composerMaxPx, composerMinPx } from '../../../lib/browser/limits.ts'

/** The fields that already listen for changes of the window. */
const fields = new WeakSet<HTMLTextAreaElement>()

/**
 * Makes a field as high as its text, for browsers without `field-sizing`. Has to be called after each change of the text; it fits the field
 * again by itself when the window is resized, until the field is removed.
 * @param bounds the least and the greatest height, those of the composer by default; a longer text scrolls
 */
export function fitHeight(
  field: HTMLTextAreaElement,
  { minPx, maxPx } = { minPx: composerMinPx, maxPx: composerMaxPx },
): void {
  const fit = () => {
    field.style.height = '0'
    const height = field.scrollHeight
    field.style.height = `${Math.min(Math.max(height, minPx), maxPx)}px`
    field.style.overflowY = height > maxPx ? 'auto' : 'hidden'
  }
  fit()
  if (fields.has(field)) return
  fields.add(field)
  const refit = () => (field.isConnected ? fit() : removeEventListener('resize', refit))
  addEventListener('resize', refit)
}
