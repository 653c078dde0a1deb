import { expect, it, onTestFinished } from 'vitest'
import { measureGrowth, simulateHours, startWatchedStack } from '../support/simulated-day.ts'

it(
  'two hours of one user leak nothing (a whole day: npm run soak -- --only=day)',
  { tags: 'trial' },
  async () => {
    const watched = await startWatchedStack()
    onTestFinished(() => watched.stop())
    const hours = await simulateHours(watched, 2)
    // in so few hours code is still being compiled; the long form is strict
    expect(measureGrowth(hours, { warmUpHours: 0, heapBytesAnHour: 8_000_000 })).toEqual([])
    expect(watched.stack.output()).not.toMatch(/unhandled|function failed|emulator:/)
  },
)
