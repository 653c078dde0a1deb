import { composerMaxPx, composerMinPx } from '../../../lib/limits.ts'

const fields = new WeakSet<HTMLTextAreaElement>()

/**
 * Makes a field as high as its text, also when the window's width changes, for browsers without `field-sizing`. A longer text scrolls.
 * @param bounds those of the composer by default
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
