import { expect, it } from 'vitest'
import { AppError, defineErrors, RouteNotFound } from './errors.ts'

const { CupEmpty, CupBusy } = defineErrors({
  CupEmpty: [404, 'cup_empty', 'The cup is empty. Please fill it.'],
  CupBusy: [503, 'cup_busy', 'The cup is being filled. Please wait.', 5],
})

it('a defined error has the name of its row in logs and stack traces, and keeps detail and cause', () => {
  const cause = new Error('a hole')
  const error = new CupEmpty('cup 7', { cause })
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({
    name: 'CupEmpty',
    message: 'cup 7',
    cause,
    code: 'cup_empty',
    status: 404,
    userMessage: 'The cup is empty. Please fill it.',
    retryAfterSeconds: undefined,
  })
  expect(String(error)).toBe('CupEmpty: cup 7')
  expect(CupEmpty.name).toBe('CupEmpty')
  expect(new CupBusy('cup 7').retryAfterSeconds).toBe(5)
})

it('an error of one row is no instance of another', () => {
  expect(new CupEmpty('cup 7')).not.toBeInstanceOf(CupBusy)
  expect(new RouteNotFound('/cups').name).toBe('RouteNotFound')
})
