import { expect, it } from 'vitest'
import { parseGroupsRow, storeGroup } from './groups-row.ts'

const staff = { description: 'Staff', limits: { tokens_per_day: 5 }, version: 2 }

it.each([
  ['no row', undefined, {}],
  ['a row without groups', { version: 3, groups: 'none' }, {}],
  ['a limit of a later release', { ...staff.limits, videos_per_day: 1 }, staff.limits],
  ['a limit of another type', { ...staff.limits, storage_gb: 'much', publish: 'no' }, staff.limits],
  ['a model that is no text', { models: ['a', 7] }, { models: ['a'] }],
  [
    'a kind of tools of a later release',
    { ...staff.limits, tools: 'reviewed' },
    { ...staff.limits, tools: 'none' },
  ],
])('reads %s', (_what, stored, limits) => {
  const isRow = stored === undefined || 'groups' in stored
  const row = isRow ? stored : { version: 1, groups: { staff: { ...staff, limits: stored }, other: staff } }
  const { groups } = parseGroupsRow(row)
  expect(groups).toEqual(isRow ? {} : { staff: { ...staff, limits }, other: staff })
})

it.each([null, 'damaged', { limits: 7 }, { description: 5, version: 'x' }])(
  'a group that cannot be read (%j) has no limits, and takes no other with it',
  (damaged) => {
    const { groups } = parseGroupsRow({ version: 1, groups: { damaged, staff } })
    expect(groups).toEqual({ damaged: { description: '', limits: {}, version: 0 }, staff })
  },
)

it('a change of a group keeps the limits of a later release, and leaves the other groups as they are', () => {
  const other = { later: true }
  const stored = {
    'Sales␣EMEA': { ...staff, limits: { tokens_per_day: 5, videos_per_day: 1 }, later: 1 },
    other,
  }
  const changed = { description: 'New', limits: { storage_gb: 1 }, version: 3 }
  expect(storeGroup(stored, 'Sales EMEA', changed)).toEqual({
    'Sales␣EMEA': { ...changed, limits: { storage_gb: 1, videos_per_day: 1 } },
    other,
  })
  expect(storeGroup(stored, 'Sales EMEA', undefined)).toEqual({ other })
})
