import { afterAll, expect, it } from 'vitest'
import { openTestTable } from '../../../test/support/table.ts'
import { readRow } from '../dynamodb/rows.ts'
import { areLinksSuspended, hashOwner, linkSuspension } from './link-suspension.ts'

const table = await openTestTable()
afterAll(() => table.close())
const links = linkSuspension(table)

it('links of an account are suspended for longer than any link lasts, and resumed at once', async () => {
  const sub = crypto.randomUUID()
  const owner = hashOwner(sub)
  const readTtl = async () => Number((await readRow(table, { PK: `OUT#${owner}`, SK: 'LINKS' }))?.['ttl'])
  expect(await areLinksSuspended(table, owner)).toBe(false)
  await links.suspend(sub)
  expect(await areLinksSuspended(table, owner)).toBe(true)
  expect(await areLinksSuspended(table, hashOwner('another'))).toBe(false)
  expect(await readTtl()).toBeGreaterThan(Date.now() / 1_000 + 365 * 86_400)
  await links.resume(sub)
  expect(await areLinksSuspended(table, owner)).toBe(false)
  expect(await readTtl()).toBeLessThanOrEqual(Date.now() / 1_000)
})

it('an account that was never disabled has no row', async () => {
  const sub = crypto.randomUUID()
  await links.resume(sub)
  expect(await readRow(table, { PK: `OUT#${hashOwner(sub)}`, SK: 'LINKS' })).toBeUndefined()
})
