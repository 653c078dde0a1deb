import { vi } from 'vitest'
import { unlockMs } from '../../web/src/features/chat/approvals/use-press-lock.ts'

const measure = performance.now.bind(performance)

/** Moves the clock that locks the buttons of cards until those that are there now take a press. In effect until the end of the test. */
export function unlockCards(): void {
  const startMs = measure()
  const laterMs = performance.now() + unlockMs
  vi.spyOn(performance, 'now').mockImplementation(() => laterMs + measure() - startMs)
}
