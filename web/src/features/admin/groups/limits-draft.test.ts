import { expect, it } from 'vitest'
import { groupLimits, type GroupLimits } from '#shared/contracts/admin.ts'
import {
  excludesAllModels,
  findLimitProblems,
  numberLimits,
  numberRules,
  toDraft,
  toLimits,
} from './limits-draft.ts'

it.each([
  {},
  {
    models: [],
    tokens_per_day: 0,
    tokens_per_month: 1_000_000,
    cost_per_day: 0.25,
    cost_per_month: 12,
    images_per_day: 3,
    uploads_per_day: 20,
    storage_gb: 0.5,
    tools: 'built_in' as const,
    require_two_factor: false,
    upload: false,
    temporary_chats: true,
  },
])('saving a group without a change leaves its limits unchanged: %j', (limits) => {
  expect(toLimits(toDraft(limits))).toEqual(limits)
  expect(groupLimits.parse(toLimits(toDraft(limits)))).toEqual(limits)
})

it('names the fields without a valid number', () => {
  const draft = toDraft({ tokens_per_day: 5 })
  expect(findLimitProblems(draft)).toEqual({})
  draft.numbers.tokens_per_day = '2.5'
  draft.numbers.cost_per_month = '€5'
  expect(Object.keys(findLimitProblems(draft))).toEqual(['tokens_per_day', 'cost_per_month'])
})

it.each(numberLimits)('takes of %s what the service takes, and no more', (limit) => {
  const { largest } = numberRules[limit]
  expect(groupLimits.safeParse({ [limit]: largest }).success).toBe(true)
  expect(groupLimits.safeParse({ [limit]: largest + 1 }).success).toBe(false)
  expect(Object.keys(findLimitProblems(toDraft({ [limit]: largest + 1 })))).toEqual([limit])
  expect(findLimitProblems(toDraft({ [limit]: largest - 1 }))).toEqual({})
})

it('DEC-192 detects a cost limit that excludes all models, because none has a price', () => {
  const pricedModel = { id: 'a', price: { input: 1, output: 5 } }
  const excludes = (
    limits: GroupLimits,
    ...models: { id: string; price?: (typeof pricedModel)['price'] }[]
  ) => excludesAllModels(toDraft(limits), models)
  expect(excludes({ cost_per_day: 5 }, { id: 'b' })).toBe(true)
  expect(excludes({ cost_per_month: 5, models: ['b'] }, pricedModel, { id: 'b' })).toBe(true)
  expect(excludes({ cost_per_month: 5 }, pricedModel, { id: 'b' })).toBe(false)
  expect(excludes({ tokens_per_day: 5 }, { id: 'b' })).toBe(false)
  // the models are not known
  expect(excludes({ cost_per_day: 5 })).toBe(false)
})
