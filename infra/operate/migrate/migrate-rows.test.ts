import { afterAll, beforeEach, expect, it } from 'vitest'
import { deleteRow, putRow, readRow } from '../../../functions/platform/dynamodb/rows.ts'
import { rowFormat } from '#shared/row-format.ts'
import type { Table } from '../../../functions/platform/dynamodb/table.ts'
import { hashOwner } from '../../../functions/platform/auth/link-suspension.ts'
import { hashSecret } from '../../../functions/shares/snapshot-reader.ts'
import { openTestTable } from '../../../test/support/table.ts'
import { readStoredRows } from '../../../test/support/stored-release.ts'
import { findRowKind, readKey } from '../backup/row-kinds.ts'
import { scanTable } from '../stage.ts'
import { describeMigration, type MigrateOptions, migrateRows } from './migrate-rows.ts'
import { forgetFormat, formatKey, readFormat, recordNewTable } from './recorded-format.ts'
import { migrations, type Migration, type Row } from './migrations.ts'

const table = await openTestTable()
afterAll(() => table.close())

const listRows = async (): Promise<Row[]> => {
  const rows: Row[] = []
  for await (const row of scanTable(table, {})) if (row['PK'] !== formatKey.PK) rows.push(row as Row)
  return rows.toSorted((a, b) => (`${a.PK} ${a.SK}` < `${b.PK} ${b.SK}` ? -1 : 1))
}
/** What migrations have established. */
const findFormat = async () => (await readRow(table, { ...formatKey }))?.['format']
beforeEach(async () => {
  for (const { PK, SK } of [...(await listRows()), formatKey]) await deleteRow(table, { PK, SK })
})

let clockMs = 0
const reports: string[] = []
const pauses: number[] = []
const run = (options: Partial<MigrateOptions> = {}, on: Table = table) =>
  migrateRows(on, {
    dryRun: false,
    writes: 1_000,
    now: () => new Date(clockMs),
    pause: (ms) => {
      pauses.push(ms)
      clockMs += ms
      return Promise.resolve()
    },
    report: (line) => void reports.push(line),
    ...options,
  })
beforeEach(() => {
  clockMs = 0
  reports.length = 0
  pauses.length = 0
})

const message = (turn: number, slot: number, fields: object = {}) => ({
  PK: 'U#ann',
  SK: `M#talk#00000${turn}#${slot}`,
  id: 'm',
  run_at: 7,
  ...fields,
})
const line = (turn: number) =>
  message(turn, 3, { id: `r${turn}-stopped`, content: 'Generation stopped by user.' })
const conversation = { PK: 'U#ann', SK: 'S#talk', title: 'Talk' }
const link = { PK: 'U#ann', SK: 'SHARE#one', secret: 'hidden', state: 'published' }
const head = { PK: `SHARE#${hashSecret('hidden')}`, SK: 'HEAD', title: 'Talk', pages: 1 }

const putAll = async (...rows: object[]) => {
  for (const row of rows) await putRow(table, row)
}

it('a stopped reply is one message, with or without a text', async () => {
  const reply = message(1, 2, { content: 'One, two', ended: 'stopped' })
  await putAll(conversation, message(1, 1), reply, line(1), message(2, 1), line(2))
  await run()
  expect(await listRows()).toEqual([
    message(1, 1),
    reply,
    message(2, 1),
    message(2, 2, { id: 'r2', content: '', ended: 'stopped' }),
    conversation,
  ])
})

it.each([
  ['that was deleted', { ...conversation, deleted_at: '2026-11-28T12:00:00Z' }],
  ['that is gone', undefined],
])('no message comes back in a conversation %s', async (_what, row) => {
  await putAll(...(row ? [row] : []), line(1))
  await run()
  expect(await listRows()).toEqual(row ? [row] : [])
})

it('nor if it is deleted while its reply is written', async () => {
  await putAll(conversation, line(1))
  const client: Table['client'] = {
    send: (async (command: { input: { Item?: object } }) => {
      if (command.input.Item) await putRow(table, { ...conversation, deleted_at: 'now' })
      return table.client.send(command as never)
    }) as never,
  }
  await run({}, { ...table, client })
  expect(await listRows()).toEqual([{ ...conversation, deleted_at: 'now' }])
})

it('a shared link names its owner; one that does, and one without a snapshot, stay as they are', async () => {
  const newer = { ...head, PK: `SHARE#${hashSecret('newer')}`, owner: 'named' }
  await putAll(link, head, { ...link, SK: 'SHARE#two', secret: 'newer' }, newer)
  await putAll({ ...link, SK: 'SHARE#three', secret: 'making', state: 'making' })
  const { changes } = await run()
  expect(changes.map(({ count }) => count)).toEqual([1, 0])
  expect(await readRow(table, { PK: head.PK, SK: 'HEAD' })).toEqual({ ...head, owner: hashOwner('ann') })
  expect(await readRow(table, { PK: newer.PK, SK: 'HEAD' })).toEqual(newer)
})

it('a dry run lists old rows by their keys, without contents, and changes nothing', async () => {
  await putAll(conversation, line(1), link, head)
  const before = await listRows()
  const result = await run({ dryRun: true })
  expect(await listRows()).toEqual(before)
  expect(await readRow(table, { ...formatKey })).toBeUndefined()
  expect(describeMigration(result, true)).toBe(
    [
      'shared links: 1 to change. A shared link names its owner.',
      `  ${head.PK} / HEAD`,
      'rows of people: 1 to change. A stopped reply is one message, without a line after it.',
      `  U#ann / ${line(1).SK}`,
      '4 rows were read.',
      'This is what would be done. Nothing was changed.',
    ].join('\n'),
  )
  await run()
  expect(describeMigration(await run({ dryRun: true }), true)).toBe(`All 5 rows have format ${rowFormat}.`)
})

it('an interrupted migration goes on where it was, and ends with the same rows and counts', async () => {
  const turns = Array.from({ length: 9 }, (_, at) => at + 1)
  await putAll(conversation, ...turns.map(line))
  let calls = 0
  const failing: Table['client'] = {
    send: (async (command: { input: object }) => {
      calls += 1
      if (calls > 25) throw new Error('cut')
      return table.client.send(command as never)
    }) as never,
  }
  await expect(run({ pageRows: 2 }, { ...table, client: failing })).rejects.toThrow('cut')
  expect(await findFormat()).toBeUndefined()
  const done = (await listRows()).filter(({ SK }) => SK.endsWith('#2')).length
  expect(done).toBeGreaterThan(1)
  expect(done).toBeLessThan(9)
  const { changes } = await run({ pageRows: 2 })
  expect(reports).toContain('Going on with the migration that was begun at 1970-01-01T00:00:00.000Z.')
  // a row whose page was not complete is found anew, as one that is changed already
  expect(changes[1]?.count).toBeGreaterThanOrEqual(9 - 1)
  expect(changes[1]?.count).toBeLessThanOrEqual(9)
  expect((await listRows()).map(({ SK }) => SK)).toEqual([
    ...turns.map((turn) => message(turn, 2).SK),
    conversation.SK,
  ])
  expect(await findFormat()).toBe(rowFormat)
})

it('a row that changed meanwhile is read again, and left after five times', async () => {
  await putAll({ PK: 'U#ann', SK: 'OLD', text: 'old' }, { PK: 'U#ben', SK: 'OLD', text: 'old' })
  const seen: unknown[] = []
  /** Each plan is for a row that has the attribute by the time of its write. */
  const migration = (times: number): Migration => ({
    to: rowFormat,
    rows: 'rows of people',
    does: 'A test.',
    selects: ({ SK }) => SK === 'OLD',
    async plan({ PK, SK, text }) {
      seen.push(text)
      const isChanged = seen.length <= times
      if (isChanged) await putRow(table, { PK, SK, text: `changed ${seen.length}`, new: 'theirs' })
      else await putRow(table, { PK, SK, text })
      return { old: { PK, SK }, writes: [{ kind: 'add', key: { PK, SK }, name: 'new', value: 'ours' }] }
    },
  })
  const first = await run({ migrations: [migration(2)] })
  expect(seen).toEqual(['old', 'changed 1', 'changed 2', 'old'])
  expect(first).toMatchObject({ left: 0, changes: [{ count: 2 }] })
  await deleteRow(table, { ...formatKey })
  seen.length = 0
  const second = await run({ migrations: [migration(5)] })
  expect(second).toMatchObject({ left: 1, changes: [{ count: 1 }] })
  expect(describeMigration(second, false)).toContain('Left, because others changed them each time: 1.')
  expect(await findFormat()).toBeUndefined()
})

it('writes no faster than it may', async () => {
  await putAll(conversation, ...[1, 2, 3].map(line))
  await run({ writes: 4 })
  // three replies and three lines: the first one need not wait
  expect(pauses).toEqual([250, 250, 250, 250, 250])
})

it('refuses rows of a later release', async () => {
  await putRow(table, { ...formatKey, format: rowFormat + 1 })
  await expect(run()).rejects.toThrow(`The rows have format ${rowFormat + 1}`)
})

it('a new table is recorded once, and what is recorded stays', async () => {
  expect(await readFormat(table)).toEqual({})
  await recordNewTable(table)
  expect(await readFormat(table)).toEqual({ format: rowFormat })
  await putRow(table, { ...formatKey, format: 1 })
  await recordNewTable(table)
  expect(await readFormat(table)).toEqual({ format: 1 })
  await forgetFormat(table.client as never, table.name)
  expect(await readFormat(table)).toEqual({})
})

it('the newest migration leads to the format of this release', () => {
  expect(Math.max(...migrations.map(({ to }) => to))).toBe(rowFormat)
})

it('the rows that 1.0.0 wrote are of kinds that this release knows', () => {
  const rows = readStoredRows('1.0.0')
  expect(rows.filter((row) => !findRowKind(row)).map(readKey)).toEqual([])
  const prefixes = new Set(
    rows
      .map(readKey)
      .map(({ PK, SK }) =>
        PK.startsWith('U#') ? `U#/${/^[A-Z]+#?/.exec(SK)?.[0]}` : /^[A-Z]+#?/.exec(PK)?.[0],
      ),
  )
  expect([...prefixes].toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toMatchInlineSnapshot(`
    [
      "AUDIT#",
      "CLIENT#",
      "CONF",
      "E#",
      "GROUPS",
      "INVITES",
      "OUT#",
      "RATE#",
      "REFRESH",
      "REG#",
      "SHARE#",
      "SYNC",
      "U#/A#",
      "U#/ALLOW#",
      "U#/AVATAR#",
      "U#/C#",
      "U#/I#",
      "U#/LEDGER#",
      "U#/LOG#",
      "U#/M#",
      "U#/MEMORIES",
      "U#/MFA",
      "U#/OS#",
      "U#/P#",
      "U#/PARK#",
      "U#/PROFILE",
      "U#/PROMPT#",
      "U#/RUN#",
      "U#/S#",
      "U#/SETTINGS",
      "U#/SHARE#",
      "U#/STORAGE",
      "U#/SUM#",
      "U#/T#",
      "U#/TOOLCOUNT",
      "U#/TOOLS#",
      "U#/V#",
      "U#/VS#",
    ]
  `)
})
