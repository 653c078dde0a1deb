import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { putGroups } from '../../test/support/groups.ts'
import { openTestTable } from '../../test/support/table.ts'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import { groupRights } from '#shared/group-rights.ts'
import { findLimits, isConnectionAllowed, mergeLimits } from '#shared/group-limits.ts'
import { findMissingRights, groupLimitsReader, requireRight, toModelLimits } from './group-limits.ts'

const defaults: GroupLimits = { tokens_per_day: 1_000, images_per_day: 5 }

describe('DEC-189 the limits of a user’s groups', () => {
  it('are the deployment’s without a group, and the group’s own where it sets them', () => {
    expect(mergeLimits([], defaults)).toEqual(defaults)
    expect(
      mergeLimits([{ tokens_per_day: 50, cost_per_month: 2, models: ['a'], tools: 'none' }], defaults),
    ).toEqual({
      tokens_per_day: 50,
      images_per_day: 5,
      cost_per_month: 2,
      models: ['a'],
      tools: 'none',
    })
  })

  it('may be higher than the deployment’s, and 0 means none', () => {
    expect(mergeLimits([{ tokens_per_day: 9_000, images_per_day: 0 }], defaults)).toEqual({
      tokens_per_day: 9_000,
      images_per_day: 0,
    })
  })

  it('are the most generous of those groups that set them, and the site’s where none does', () => {
    const twoGroups = [
      { tokens_per_day: 50, images_per_day: 9, models: ['a', 'b'], tools: 'built_in' },
      { tokens_per_day: 70, images_per_day: 1, models: ['b', 'c'], tools: 'catalogue' },
    ] satisfies GroupLimits[]
    const merged = { tokens_per_day: 70, images_per_day: 9, models: ['a', 'b', 'c'], tools: 'catalogue' }
    expect(mergeLimits(twoGroups, defaults)).toEqual(merged)
    expect(mergeLimits([{}, ...twoGroups, {}], defaults)).toEqual(merged)
    expect(mergeLimits([{ cost_per_day: 1 }, { tokens_per_day: 10 }], defaults)).toEqual({
      ...defaults,
      cost_per_day: 1,
      tokens_per_day: 10,
    })
  })

  it.each([
    'tokens_per_day',
    'tokens_per_month',
    'images_per_day',
    'uploads_per_day',
    'cost_per_day',
    'cost_per_month',
    'storage_gb',
    'max_schedules',
  ] as const)('%s of several groups is the largest of those that set it', (name) => {
    expect(mergeLimits([{ [name]: 2 }, { [name]: 3 }, { [name]: 1 }], {})).toEqual({ [name]: 3 })
    expect(mergeLimits([{ [name]: 0 }, {}], { [name]: 7 })).toEqual({ [name]: 0 })
    expect(mergeLimits([{}, {}], { [name]: 7 })).toEqual({ [name]: 7 })
  })

  it('allow only models with a price if there is a cost limit', () => {
    expect(toModelLimits({})).toEqual({})
    expect(toModelLimits({ models: ['a'], tokens_per_day: 1 })).toEqual({ models: ['a'] })
    for (const cost of [{ cost_per_day: 0 }, { cost_per_month: 5 }])
      expect(toModelLimits(cost)).toEqual({ priced_models_only: true })
  })

  it.each([
    ['none', []],
    ['built_in', ['built_in']],
    ['catalogue', ['built_in', 'remote']],
    ['all', ['built_in', 'remote', 'custom']],
    [undefined, ['built_in', 'remote', 'custom']],
  ] as const)('tools %s: connections of %j', (toolsLimit, kinds) => {
    const allKinds = ['built_in', 'remote', 'custom'] as const
    expect(allKinds.filter((kind) => isConnectionAllowed(kind, toolsLimit))).toEqual(kinds)
  })

  it.each(groupRights)(
    '%s is missing where a group forbids it and none allows it, and never for administrators',
    (right) => {
      const groups = new Map<string, GroupLimits>([
        ['guests', { [right]: false }],
        ['interns', { [right]: false }],
        ['staff', { tokens_per_day: 1 }],
        ['authors', { [right]: true }],
        ['admins', { [right]: false, storage_gb: 1 }],
      ])
      const find = (...names: string[]) => findMissingRights(findLimits(names, groups, {}))
      for (const names of [['guests'], ['guests', 'interns', 'unknown'], ['guests', 'staff']])
        expect(find(...names)).toEqual({ [right]: false })
      for (const names of [
        [],
        ['unknown'],
        ['guests', 'authors'],
        ['staff'],
        ['admins'],
        ['guests', 'admins'],
      ])
        expect(find(...names)).toEqual({})
      expect(() => requireRight(findLimits(['guests'], groups, {}), right)).toThrow(
        expect.objectContaining({ status: 403, code: 'not_allowed' }) as Error,
      )
      expect(() => requireRight({}, right)).not.toThrow()
    },
  )

  it('require a second factor as soon as one group or the deployment requires it', () => {
    expect(mergeLimits([{ require_two_factor: true }, { require_two_factor: false }], {})).toEqual({
      require_two_factor: true,
    })
    expect(mergeLimits([{ require_two_factor: false }], { require_two_factor: true })).toEqual({
      require_two_factor: true,
    })
    expect(mergeLimits([{ require_two_factor: false }], {})).toEqual({})
  })
})

describe('DEC-189 the row of the groups', async () => {
  const table = await openTestTable()
  afterAll(() => table.close())
  const write = (limits: Record<string, GroupLimits>) => putGroups(table, limits)
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('is read again after a minute, and not at all for users without groups', async () => {
    const send = vi.spyOn(table.client, 'send')
    const reader = groupLimitsReader(table, defaults)
    expect(await reader.find({ groups: [] })).toBe(defaults)
    expect(send).not.toHaveBeenCalled()
    send.mockRestore()
    await write({ interns: { tokens_per_day: 10 } })
    expect(await reader.find({ groups: ['interns'] })).toMatchObject({ tokens_per_day: 10 })
    await write({ interns: { tokens_per_day: 20 } })
    expect(await reader.find({ groups: ['interns'] })).toMatchObject({ tokens_per_day: 10 })
    vi.advanceTimersByTime(59_999)
    expect(await reader.find({ groups: ['interns'] })).toMatchObject({ tokens_per_day: 10 })
    vi.advanceTimersByTime(1)
    expect(await reader.find({ groups: ['interns'] })).toMatchObject({ tokens_per_day: 20 })
  })

  it('ignores groups that it does not name', async () => {
    await write({ interns: { tokens_per_day: 10 } })
    const reader = groupLimitsReader(table, defaults)
    expect(await reader.find({ groups: ['interns', 'eu-central-1_x_Google'] })).toMatchObject({
      tokens_per_day: 10,
    })
    expect(await reader.find({ groups: ['deleted'] })).toEqual(defaults)
    expect(await reader.find({ groups: ['interns', 'admins'] })).toMatchObject({ tokens_per_day: 10 })
  })

  it('is read again for a group that is new, and once in a minute for one without an entry', async () => {
    await write({ interns: { tokens_per_day: 10 } })
    const reader = groupLimitsReader(table, defaults)
    await reader.find({ groups: ['interns'] })
    await write({ interns: { tokens_per_day: 20 }, guests: { tokens_per_day: 5 } })
    expect(await reader.find({ groups: ['guests'] })).toMatchObject({ tokens_per_day: 5 })
    const send = vi.spyOn(table.client, 'send')
    for (const groups of [['pool_Google'], ['pool_Google', 'interns'], ['guests'], ['pool_Google']])
      await reader.find({ groups })
    expect(send).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(60_000)
    await reader.find({ groups: ['pool_Google'] })
    expect(send).toHaveBeenCalledTimes(2)
    send.mockRestore()
  })

  it('lists a group that is new as soon as somebody names it, and reads once in a minute for a name that no group has', async () => {
    await write({ interns: {} })
    const reader = groupLimitsReader(table, defaults)
    expect([...(await reader.listNames())]).toEqual(['interns'])
    await write({ interns: {}, guests: {} })
    expect([...(await reader.listNames(['interns']))]).toEqual(['interns'])
    expect([...(await reader.listNames(['guests', 'elsewhere']))].toSorted()).toEqual(['guests', 'interns'])
    const send = vi.spyOn(table.client, 'send')
    for (const names of [['guests'], ['elsewhere'], ['elsewhere', 'interns']]) await reader.listNames(names)
    expect(send).not.toHaveBeenCalled()
    send.mockRestore()
  })

  it('is read again after a failed read', async () => {
    await write({ interns: { tokens_per_day: 10 } })
    const reader = groupLimitsReader(table, defaults)
    const down = new Error('the table is down')
    vi.spyOn(table.client, 'send').mockRejectedValueOnce(down as never)
    await expect(reader.find({ groups: ['interns'] })).rejects.toBe(down)
    expect(await reader.find({ groups: ['interns'] })).toMatchObject({ tokens_per_day: 10 })
  })
})
