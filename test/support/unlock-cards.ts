import { vi } from 'vitest'
import { unlockMs } from '../../web/src/features/chat/approvals/press-lock.ts'

/** Stops the clock that locks the buttons of cards, however slow the machine is. In effect until the end of the test. */
export function holdCardClock(nowMs = performance.now()): void {
  vi.spyOn(performance, 'now').mockReturnValue(nowMs)
}

/** Moves that clock until the buttons that are there now take a press, and stops it. */
export function unlockCards(): void {
  // one more, because sums of fractions are not exact
  holdCardClock(performance.now() + unlockMs + 1)
}
