import { expect, it } from 'vitest'
import { inGerman } from '../../../../test/support/german-page.ts'
import { describeNumberProblem } from './describe-number-problem.ts'

it('says how many there may be, and what a number is', () => {
  expect(describeNumberProblem('30', { hasDecimals: false, largest: 25 })).toBe(
    'Please enter 25 at most, or nothing.',
  )
  expect(describeNumberProblem('3.5', { hasDecimals: false, largest: 25 })).toBe(
    'Please enter a whole number, such as 50000, or nothing.',
  )
  expect(describeNumberProblem('x', { hasDecimals: true, largest: 25 })).toBe(
    'Please enter a number, such as 2.25, or nothing.',
  )
})

it('writes its example as the reader does', async () => {
  const german = await inGerman(() => import('./describe-number-problem.ts'))
  expect(german.describeNumberProblem('x', { hasDecimals: true, largest: 25 })).toContain('2,25')
})
