import { expect, it } from 'vitest'
import { TwoFactorLocked } from './errors.ts'

it.each([
  [1, 'a minute'],
  [60, 'a minute'],
  [61, '2 minutes'],
  [5_400, '90 minutes'],
  [5_401, '2 hours'],
  [7_201, '3 hours'],
])('a lock of %i s is reported as %s', (seconds, words) => {
  expect(new TwoFactorLocked('locked', seconds).userMessage).toBe(
    `Too many attempts. Please wait ${words} and try again.`,
  )
})
