import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as errors from './errors.ts'
import {
  ImagesUsedUp,
  ModelNotAllowed,
  SiteBudgetUsedUp,
  UserBudgetUsedUp,
  type SpendingLimit,
} from './errors.ts'

it('each refusal has a code, a status and a message', () => {
  const summarise = (error: {
    code: string
    status: number
    userMessage: string
    retryAfterSeconds?: number | undefined
  }) => [error.code, error.status, error.retryAfterSeconds, error.userMessage]
  expect(
    [
      new errors.TooManyReplies('x'),
      new errors.TooManyEventStreams('x'),
      new errors.ModelNotAvailable('x'),
      new errors.EffortNotAvailable('x'),
      new ImagesUsedUp('x', 60),
      new SiteBudgetUsedUp('x', 60),
    ].map(summarise),
  ).toMatchInlineSnapshot(`
    [
      [
        "budget",
        429,
        10,
        "Too many replies are being written for you at once. Please wait until one has ended.",
      ],
      [
        "too_many_streams",
        429,
        5,
        "You are following too many replies at once. Please close a tab, or wait a moment.",
      ],
      [
        "model_not_available",
        400,
        undefined,
        "This model is not available any more. Please reload the page and choose another one.",
      ],
      [
        "effort_not_available",
        400,
        undefined,
        "This model does not have the chosen effort. Please choose another one.",
      ],
      [
        "budget",
        429,
        60,
        "The user has reached the daily limit for images. It resets at midnight (UTC). Say so.",
      ],
      [
        "budget",
        429,
        60,
        "This assistant has reached today's limit for all users. It resets at midnight (UTC), or when the people who run it raise the limit.",
      ],
    ]
  `)
})

it.each([
  [[], 'You may not use any model. Please ask your administrator.'],
  [['A'], 'You may not use Big. Please choose A, or ask your administrator.'],
  [['A', 'B', 'C'], 'You may not use Big. Please choose A, B, C, or ask your administrator.'],
  [
    ['A', 'B', 'C', 'D'],
    'You may not use Big. Please choose A, B, C or another one, or ask your administrator.',
  ],
])('the refusal of a model names allowed ones: %j', (allowedNames, message) => {
  expect(new ModelNotAllowed('Big', allowedNames)).toMatchObject({
    code: 'model_not_allowed',
    status: 403,
    userMessage: message,
  })
})

describe('a budget that is used up', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 11, 31, 23) }))
  afterEach(() => void vi.useRealTimers())
  const hint = 'Your administrator can raise it.'

  it.each<[SpendingLimit, string]>([
    [
      { period: 'day', unit: 'tokens', amount: 50_000 },
      `You have reached today's limit for replies. It is 50,000 tokens, cached ones counted in full, and resets at midnight (UTC). ${hint}`,
    ],
    [
      { period: 'month', unit: 'nano_usd', amount: 2.5e9 },
      `You have reached this month's limit for replies. It is $2.50, and resets on January 1 (UTC). ${hint}`,
    ],
    [
      { period: 'month', unit: 'tokens', amount: 0 },
      'Your account may not use the assistant. Please ask your administrator.',
    ],
  ])('%j says when it resets', (limit, message) => {
    expect(new UserBudgetUsedUp(limit, 60)).toMatchObject({
      code: 'budget',
      status: 429,
      retryAfterSeconds: 60,
      userMessage: message,
    })
  })
})
