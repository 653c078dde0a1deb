import { expect, it } from 'vitest'
import { AppError, defineErrors, defineLimits, LimitReached, RouteNotFound } from './errors.ts'

const { CupEmpty, CupBusy, CupRefused } = defineErrors(
  {
    cup_refused: '{name} takes no cup.',
    cup_empty: 'The cup is empty. Please fill it.',
    'cup_busy.filled': 'The cup is being filled up to {max} ml. Please wait.',
  },
  {
    CupRefused: [409, 'cup_refused'],
    CupEmpty: [404, 'cup_empty'],
    CupBusy: [503, 'cup_busy.filled', { retryAfterSeconds: 5, params: { max: 200 } }],
  },
)

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
  expect(new CupBusy('cup 7')).toMatchObject({
    message: 'cup 7',
    retryAfterSeconds: 5,
    sentence: {
      code: 'cup_busy',
      params: { reason: 'filled', max: 200 },
      text: 'The cup is being filled up to 200 ml. Please wait.',
    },
  })
})

it('an error of one row is no instance of another', () => {
  expect(new CupEmpty('cup 7')).not.toBeInstanceOf(CupBusy)
  expect(new RouteNotFound('/cups').name).toBe('RouteNotFound')
})

it('an error about somebody says so to the user, and only its code to the log', () => {
  const cause = new Error('full')
  expect(new CupRefused({ name: 'Ann' }, { cause })).toMatchObject({
    name: 'CupRefused',
    message: 'cup_refused',
    cause,
    status: 409,
    userMessage: 'Ann takes no cup.',
    sentence: { code: 'cup_refused', params: { name: 'Ann' } },
  })
})

it('a limit tells when to try again', () => {
  const { TooManyCups, CupsOver } = defineLimits(
    { too_many_cups: 'Wait {seconds} s.', cups_over: 'No more today.' },
    { TooManyCups: 'too_many_cups', CupsOver: 'cups_over' },
  )
  const reached = new TooManyCups('cups of the day used up', 7)
  expect(reached).toBeInstanceOf(LimitReached)
  expect(reached).toMatchObject({
    name: 'TooManyCups',
    message: 'cups of the day used up',
    status: 429,
    userMessage: 'Wait 7 s.',
    retryAfterSeconds: 7,
  })
  expect(new CupsOver('used up', 9)).toMatchObject({ code: 'cups_over', userMessage: 'No more today.' })
})
