import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestTable } from '../../../test/support/table.ts'
import { getStoredRow, isConditionFailed, setFields, updateIf, updateRow } from './update-row.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

const createKey = () => ({ PK: crypto.randomUUID(), SK: 'ROW' })
const read = async (Key: Record<string, string>) =>
  (await table.client.send(new GetCommand({ TableName: table.name, Key }))).Item

it('changes a row only while its condition holds, with reserved words too', async () => {
  const key = createKey()
  const creation = {
    update: 'SET #status = :new',
    condition: 'attribute_not_exists(PK)',
    values: { ':new': 1 },
  }
  expect(await updateIf(table, key, creation)).toBe(true)
  expect(await updateIf(table, key, creation)).toBe(false)
  expect(await updateIf(table, key, { update: 'REMOVE #status', condition: 'attribute_exists(PK)' })).toBe(
    true,
  )
  expect(await read(key)).toEqual(key)
})

it('a failed condition says what is stored', async () => {
  const key = createKey()
  const change = {
    update: 'SET #open = :open',
    condition: '#open = :open',
    values: { ':open': new Set(['a']) },
  }
  const failOn = () => updateRow(table, key, change).catch((error: unknown) => error)
  expect(getStoredRow(await failOn())).toBeUndefined()
  await setFields(table, key, { open: new Set(['b', 'c']), count: 2 })
  expect(getStoredRow(await failOn())).toEqual({ ...key, open: new Set(['b', 'c']), count: 2 })
  expect(getStoredRow(new Error('another'))).toBeUndefined()
})

it('throws any error other than a failed condition', async () => {
  const invalidUpdate = { update: 'SET nothing', condition: 'attribute_exists(PK)' }
  await expect(updateIf(table, createKey(), invalidUpdate)).rejects.toMatchObject({
    name: 'ValidationException',
  })
})

it('sets the given fields and keeps the rest', async () => {
  const key = createKey()
  await setFields(table, key, { name: 'Ann', status: null })
  await setFields(table, key, { name: 'Ben', status: undefined })
  await setFields(table, key, { name: undefined })
  expect(await read(key)).toEqual({ ...key, name: 'Ben', status: null })
})

it('replaces texts that are as they were seen, or as they are wanted', async () => {
  const key = createKey()
  expect(await setFields(table, key, { text: 'one' }, { text: '' })).toBe(true)
  expect(await setFields(table, key, { text: 'two', size: 2 }, { text: '' })).toBe(false)
  expect(await setFields(table, key, { text: 'one', size: 3 }, { text: '' })).toBe(true)
  expect(await read(key)).toEqual({ ...key, text: 'one', size: 3 })
})

it('returns what is requested, accepts names that are data, and creates a row without a condition', async () => {
  const key = createKey()
  const change = { update: 'SET places.#id = :now', names: { '#id': 'a-b.c' }, values: { ':now': 7 } }
  await updateRow(table, key, { update: 'SET places = :none', values: { ':none': {} } })
  expect(await updateRow(table, key, { ...change, returns: 'ALL_NEW' })).toEqual({
    attributes: { ...key, places: { 'a-b.c': 7 } },
    wasRetried: false,
  })
  expect(await updateRow(table, key, change)).toEqual({ attributes: undefined, wasRetried: false })
})

it('distinguishes a failed condition from every other failure', async () => {
  const failedCondition = updateRow(table, createKey(), {
    update: 'SET a = :a',
    condition: 'attribute_exists(PK)',
    values: { ':a': 1 },
  })
  expect(isConditionFailed(await failedCondition.catch((error: unknown) => error))).toBe(true)
  const invalidUpdate = updateRow(table, createKey(), { update: 'SET nothing' })
  expect(isConditionFailed(await invalidUpdate.catch((error: unknown) => error))).toBe(false)
})
