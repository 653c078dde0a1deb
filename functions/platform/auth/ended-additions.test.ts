import { afterAll, expect, it } from 'vitest'
import { openTestTable } from '../../../test/support/table.ts'
import { readRow } from '../dynamodb/rows.ts'
import { endAdditions, forgetEnded, loadEnded, mergeEnded, noteRestored } from './ended-additions.ts'
import { hashOwner } from './link-suspension.ts'

const table = await openTestTable()
afterAll(() => table.close())
const at = Date.parse('2026-12-07T12:00:00.400Z')
const dayMs = 86_400_000
const toIso = (ms: number) => new Date(ms).toISOString()

it('a sign-out ends what was added in the day before it, for good, and nothing that comes after it', async () => {
  const sub = crypto.randomUUID()
  await endAdditions(table, sub, at)
  const list = async () => {
    const hasEnded = await loadEnded(table, hashOwner(sub))
    return [-dayMs - 1, -dayMs + 1_000, 0, 599, 600, dayMs].map((ms) => hasEnded(toIso(at + ms)))
  }
  expect(await list()).toEqual([false, true, true, true, false, false])
  // much later
  await endAdditions(table, sub, at + 30 * dayMs)
  expect(await list()).toEqual([false, true, true, true, false, false])
  // again within a day, by two at once
  await Promise.all([endAdditions(table, sub, at + 7_200_000), endAdditions(table, sub, at + 3_600_000)])
  expect(await list()).toEqual([false, true, true, true, true, false])
  const hasEnded = await loadEnded(table, hashOwner('another'))
  expect(hasEnded(toIso(at))).toBe(false)
})

it('the first reset after a restoration ends nothing that was added before it', async () => {
  const sub = crypto.randomUUID()
  await noteRestored(table, sub, at)
  await endAdditions(table, sub, at + 60_000)
  const hasEnded = await loadEnded(table, hashOwner(sub))
  expect([-1_000, 0, 1, 60_000].map((ms) => hasEnded(toIso(at + ms)))).toEqual([false, false, true, true])
})

it('what another deployment has ended is added to what has ended here', async () => {
  const sub = crypto.randomUUID()
  await endAdditions(table, sub, at)
  const other = {
    PK: `OUT#${hashOwner(sub)}`,
    SK: 'ENDED',
    ended: [
      { from: at - 9 * dayMs, to: at - 8 * dayMs },
      { from: at - 900 * dayMs, to: at - 899 * dayMs },
    ],
    rev: 4,
  }
  await mergeEnded(table, other, at)
  const row = await readRow(table, { PK: other.PK, SK: 'ENDED' })
  await mergeEnded(table, other, at)
  expect((await readRow(table, { PK: other.PK, SK: 'ENDED' }))?.['ended']).toEqual(row?.['ended'])
  const hasEnded = await loadEnded(table, hashOwner(sub))
  expect([-899, -8, -7, 0].map((days) => hasEnded(toIso(at + days * dayMs)))).toEqual([
    false,
    true,
    false,
    true,
  ])
})

it('an erasure leaves nothing of it', async () => {
  const sub = crypto.randomUUID()
  const readTtl = async () =>
    Number((await readRow(table, { PK: `OUT#${hashOwner(sub)}`, SK: 'ENDED' }))?.['ttl'])
  await forgetEnded(table, sub)
  expect(await readTtl()).toBeNaN()
  await endAdditions(table, sub, Date.now())
  expect(await readTtl()).toBeGreaterThan(Date.now() / 1_000 + 366 * 86_400)
  await forgetEnded(table, sub)
  expect(await readTtl()).toBeLessThanOrEqual(Date.now() / 1_000)
})
