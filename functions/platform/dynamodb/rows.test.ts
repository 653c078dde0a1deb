import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestTable } from '../../../test/support/table.ts'
import { createRow, deleteRow, putRow, readRow, takeRow } from './rows.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

const other = {
  ConditionExpression: 'color = :color',
  ExpressionAttributeValues: { ':color': 'red' },
}

it('creates a row once, replaces it, and deletes it', async () => {
  const key = { PK: `ROWS#${crypto.randomUUID()}`, SK: 'A' }
  expect(await readRow(table, key)).toBeUndefined()
  expect(await createRow(table, { ...key, color: 'blue' })).toBe(true)
  expect(await createRow(table, { ...key, color: 'red' })).toBe(false)
  expect(await readRow(table, key)).toEqual({ ...key, color: 'blue' })
  await putRow(table, { ...key, color: 'green' })
  expect(await readRow(table, key)).toEqual({ ...key, color: 'green' })
  await deleteRow(table, key)
  await deleteRow(table, key)
  expect(await readRow(table, key)).toBeUndefined()
})

it('takes a row once, and leaves one that is not as expected', async () => {
  const key = { PK: `ROWS#${crypto.randomUUID()}`, SK: 'A' }
  await putRow(table, { ...key, color: 'blue' })
  await deleteRow(table, key, other)
  expect(await takeRow(table, key, other)).toBeUndefined()
  expect(await takeRow(table, key)).toEqual({ ...key, color: 'blue' })
  expect(await takeRow(table, key)).toBeUndefined()
})
