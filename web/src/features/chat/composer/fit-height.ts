import { composerMaxPx, composerMinPx } from '../../../lib/limits.ts'

const fields = new WeakSet<HTMLTextAreaElement>()

/** Makes a field as high as its text, within the composer's bounds, also when the window's width changes. A longer text scrolls. */
export function fitHeight(field: HTMLTextAreaElement): void {
  const fit = () => {
    field.style.height = '0'
    const height = field.scrollHeight
    field.style.height = `${Math.min(Math.max(height, composerMinPx), composerMaxPx)}px`
    field.style.overflowY = height > composerMaxPx ? 'auto' : 'hidden'
  }
  fit()
  if (fields.has(field)) return
  fields.add(field)
  const refit = () => (field.isConnected ? fit() : removeEventListener('resize', refit))
  addEventListener('resize', refit)
}
