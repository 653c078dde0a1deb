import { expect, it } from 'vitest'
import { limitSteps } from './step-limit.ts'

const fail = (error: Error) => () =>
  limitSteps(1, () => {
    throw error
  })
const overflow = (): number => 1 + overflow()

it('has no result when the stack overflows, in any browser', () => {
  expect(limitSteps(1, overflow)).toBeUndefined()
  // Safari and Firefox
  expect(fail(new RangeError('Maximum call stack size exceeded.'))()).toBeUndefined()
  expect(fail(new Error('too much recursion'))()).toBeUndefined()
})

it.each([new RangeError('Invalid array length'), new RangeError('Invalid code point -2'), new Error('a')])(
  'does not hide %s',
  (error) => {
    expect(fail(error)).toThrow(error)
  },
)
