import { expect, it } from 'vitest'
import { describeLimits } from './describe-limits.ts'

it('says once what two limits forbid', () => {
  expect(
    describeLimits({ uploads_per_day: 0, max_schedules: 0, upload: false, schedules: false, memory: false }),
  ).toEqual(['No uploads', 'No scheduled messages', 'No memory'])
})
