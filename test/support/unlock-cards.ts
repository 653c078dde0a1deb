import { vi } from 'vitest'
import { unlockMs } from '../../web/src/features/chat/approvals/use-press-lock.ts'

let aheadMs = 0

/** Moves the clock that locks the buttons of cards until those that are there now take a press. In effect until the end of the test. */
export function unlockCards(): void {
  const isMoved = vi.isMockFunction(performance.now)
  aheadMs = (isMoved ? aheadMs : 0) + unlockMs
  if (isMoved) return
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs)
}
