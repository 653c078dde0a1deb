import { describe, expect, test } from 'vitest'
import { adminContracts, maxInvitationDays, maxInvitedAtOnce } from '#shared/contracts/admin.ts'
import { maxHouseInstructions, maxNoticeCharacters, siteChange } from '#shared/contracts/site.ts'
import { groupNamePattern } from '#shared/group-names.ts'
import { dayChoices, defaultDays } from './invitations/invitation-days.ts'
import * as limits from './service-limits.ts'

const values = { ...limits }
const repeat = (count: number) => 'a'.repeat(count)
const invite = adminContracts['admin.invite'].request
const createGroup = adminContracts['admin.createGroup'].request
const takesLimit = (limit: string) => (value: number) =>
  createGroup.safeParse({ name: 'Team', limits: { [limit]: value } }).success

test('The limits of texts and lists that the contracts name are those of the page', () => {
  expect(values).toMatchObject({ maxInvitedAtOnce, maxNoticeCharacters })
  expect(values.maxHouseInstructionCharacters).toBe(maxHouseInstructions)
})

test('Invitations last as long without a choice as the page proposes, and at most as long as it offers', () => {
  const { days } = invite.parse({ email: 'ann@example.com' })
  expect([days, Math.max(...dayChoices)]).toEqual([defaultDays, maxInvitationDays])
})

describe('The service takes the largest value of the page, and no larger one', () => {
  const cases: [name: keyof typeof values, takes: (value: number) => boolean][] = [
    [
      'maxOwnGroups',
      (count) =>
        invite.safeParse({
          people: [
            { email: 'ann@example.com', groups: Array.from({ length: count }, (_, index) => `${index}`) },
          ],
          groups: [],
          days: 7,
        }).success,
    ],
    ['maxListedCharacters', (length) => invite.safeParse({ people: [{ email: repeat(length) }] }).success],
    [
      'maxListedCharacters',
      (length) => invite.safeParse({ people: [{ email: 'a', groups: [repeat(length)] }] }).success,
    ],
    [
      'maxEmailCharacters',
      (length) => {
        const domain = `@${repeat(60)}.${repeat(40)}.com`
        const email = repeat(length - domain.length) + domain
        return invite.safeParse({ email, groups: [], days: 7 }).success
      },
    ],
    [
      'maxSearchCharacters',
      (length) => adminContracts['admin.users'].query.safeParse({ query: repeat(length) }).success,
    ],
    [
      'maxGroupDescriptionCharacters',
      (length) => createGroup.safeParse({ name: 'Team', description: repeat(length) }).success,
    ],
    ['maxGroupNameCharacters', (length) => groupNamePattern.test(repeat(length))],
    ['maxAmount', takesLimit('tokens_per_day')],
    ['maxAmount', (value) => siteChange.safeParse({ siteTokensPerDay: value }).success],
    ['maxCostUsd', takesLimit('cost_per_day')],
    ['maxCostUsd', (value) => siteChange.safeParse({ siteCostPerDay: value }).success],
    ['maxStorageGb', takesLimit('storage_gb')],
  ]
  test.each(cases)('%s', (name, takes) => {
    expect([takes(values[name]), takes(values[name] + 1)]).toEqual([true, false])
  })
})
