import { expect, it } from 'vitest'
import { inGerman } from '../../../../test/support/german-page.ts'
import { describeNumberProblem } from './describe-number-problem.ts'

const whole = { hasDecimals: false, smallest: 0, largest: 25 }
const decimal = { hasDecimals: true, smallest: 0.01, largest: 25 }

it.each([
  ['30', whole, 'Please enter 25 at most, or nothing.'],
  // more digits than a number field reads
  ['9'.repeat(20), whole, 'Please enter 25 at most, or nothing.'],
  ['9'.repeat(20), decimal, 'Please enter 25 at most, or nothing.'],
  ['3.5', whole, 'Please enter a whole number, such as 50000, or nothing.'],
  ['x', decimal, 'Please enter a number, such as 2.25, or nothing.'],
  ['0', decimal, 'Please enter 0.01 at least, or nothing.'],
  ['0.01', decimal, undefined],
  ['25', whole, undefined],
  ['', whole, undefined],
])('%j, %j: %s', (text, rule, problem) => {
  expect(describeNumberProblem(text, rule)).toBe(problem)
})

it('writes its example as the reader does', async () => {
  const german = await inGerman(() => import('./describe-number-problem.ts'))
  expect(german.describeNumberProblem('x', decimal)).toContain('2,25')
})
