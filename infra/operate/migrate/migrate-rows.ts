import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb'
import { createRow, deleteRow, readRow } from '../../../functions/platform/dynamodb/rows.ts'
import { rowFormat } from '#shared/row-format.ts'
import type { Table } from '../../../functions/platform/dynamodb/table.ts'
import { updateIf, updateRow } from '../../../functions/platform/dynamodb/update-row.ts'
import { OperatorError } from '../../aws/operator-error.ts'
import {
  isKept,
  type Key,
  type Migration,
  migrations as allMigrations,
  type ReadRow,
  type Row,
  type Write,
} from './migrations.ts'
import { formatKey, type Progress, readFormat } from './recorded-format.ts'

export interface MigrateOptions {
  /** lists what would be changed, and changes nothing */
  readonly dryRun: boolean
  /** at most, per second */
  readonly writes: number
  readonly now: () => Date
  readonly pause: (ms: number) => Promise<unknown>
  readonly report: (line: string) => void
  readonly migrations?: readonly Migration[]
  /** rows of one page; a page has 1 MB at most */
  readonly pageRows?: number
}

export interface MigrateResult {
  /** rows that were read, by all runs of this migration */
  readonly read: number
  readonly changes: readonly {
    readonly migration: Migration
    readonly count: number
    readonly keys: readonly Key[]
  }[]
  /** rows that others changed again and again meanwhile */
  readonly left: number
}

/** A row that others change each time is left for the next run. */
const maxTries = 5
/** The keys that a dry run lists of each migration. */
const maxListed = 100

/**
 * Brings the rows of earlier releases into today's format while the product runs. It reads the whole table, page by page, and stores after
 * each page where it is: interrupted, it goes on there. What is changed already is found to be so: it can be repeated at any time.
 */
export async function migrateRows(
  table: Table,
  { dryRun, writes, now, pause, report, migrations = allMigrations, pageRows }: MigrateOptions,
): Promise<MigrateResult> {
  const { format, progress: stored } = await readFormat(table)
  if (format !== undefined && format > rowFormat)
    throw new OperatorError(`The rows have format ${format}, and this release knows ${rowFormat} at most.`)
  const isUnfinished = stored?.to === rowFormat && stored.changed.length === migrations.length
  const unfinished = isUnfinished && !dryRun ? stored : undefined
  if (unfinished) report(`Going on with the migration that was begun at ${unfinished.begun_at}.`)
  const state: Progress = unfinished ?? {
    to: rowFormat,
    begun_at: now().toISOString(),
    read: 0,
    changed: migrations.map(() => 0),
    left: 0,
  }
  const keys = migrations.map((): Key[] => [])
  const pace = pacer(writes, () => now().getTime(), pause)
  const read: ReadRow = (key) => find(table, key)

  async function visit(found: Row, at: number, migration: Migration): Promise<void> {
    let current: Row | undefined = found
    for (let attempt = 1; current && migration.selects(current); attempt += 1) {
      const plan = await migration.plan(current, read)
      if (!plan) return
      if (dryRun) {
        state.changed[at] = (state.changed[at] ?? 0) + 1
        if ((keys[at]?.length ?? 0) < maxListed) keys[at]?.push(plan.old)
        return
      }
      if (await applyWrites(table, plan.writes, pace)) {
        state.changed[at] = (state.changed[at] ?? 0) + 1
        return
      }
      if (attempt === maxTries) {
        state.left += 1
        return
      }
      current = await read({ PK: found.PK, SK: found.SK })
    }
  }

  let start: ScanCommandInput['ExclusiveStartKey'] = state.cursor
  do {
    const page = await table.client.send(
      new ScanCommand({
        TableName: table.name,
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
        ...(pageRows !== undefined && { Limit: pageRows }),
      }),
    )
    for (const item of (page.Items ?? []) as Row[])
      for (const [at, migration] of migrations.entries())
        if (migration.selects(item)) await visit(item, at, migration)
    start = page.LastEvaluatedKey
    state.read += page.Items?.length ?? 0
    if (!dryRun && start) await saveProgress(table, { ...state, cursor: start as Key })
    if (start) report(`${state.read} rows read, ${sum(state.changed)} ${dryRun ? 'to change' : 'changed'}.`)
  } while (start)
  // what is left is found by the next run, which begins anew
  if (!dryRun) await saveEnd(table, state.left === 0 ? rowFormat : undefined, now())
  return {
    read: state.read,
    changes: migrations.map((migration, at) => ({
      migration,
      count: state.changed[at] ?? 0,
      keys: keys[at] ?? [],
    })),
    left: state.left,
  }
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** @returns false if a row is not as it was read any more */
async function applyWrites(
  table: Table,
  writes: readonly Write[],
  pace: () => Promise<void>,
): Promise<boolean> {
  for (const write of writes) {
    await pace()
    if (!(await applyWrite(table, write))) return false
  }
  return true
}

async function applyWrite(table: Table, write: Write): Promise<boolean> {
  switch (write.kind) {
    case 'create':
      if (!(await createRow(table, write.row))) return false
      if (!isKept(await find(table, write.within))) await removeRow(table, write.row)
      return true
    case 'add':
      return updateIf(
        table,
        { ...write.key },
        {
          update: 'SET #name = :value',
          condition: 'attribute_exists(PK) AND attribute_not_exists(#name)',
          names: { '#name': write.name },
          values: { ':value': write.value },
        },
      )
    case 'delete':
      await removeRow(table, write.key)
      return true
  }
}

const find = async (table: Table, { PK, SK }: Key) => (await readRow(table, { PK, SK })) as Row | undefined
const removeRow = (table: Table, { PK, SK }: Key) => deleteRow(table, { PK, SK })

const saveProgress = (table: Table, state: Progress) =>
  updateRow(table, { ...formatKey }, { update: 'SET #progress = :progress', values: { ':progress': state } })

/** @param format undefined if rows are left */
const saveEnd = (table: Table, format: number | undefined, at: Date) =>
  updateRow(
    table,
    { ...formatKey },
    {
      update: `SET ${format === undefined ? '' : '#format = :format, '}#ended_at = :at REMOVE #progress`,
      values: { ':at': at.toISOString(), ...(format !== undefined && { ':format': format }) },
    },
  )

/** @returns waits until the next write is due */
function pacer(perSecond: number, nowMs: () => number, pause: (ms: number) => Promise<unknown>) {
  let nextMs = nowMs()
  return async () => {
    const waitMs = nextMs - nowMs()
    if (waitMs > 0) await pause(waitMs)
    nextMs = Math.max(nextMs, nowMs()) + 1_000 / perSecond
  }
}

/** What was changed, or would be. */
export function describeMigration({ read, changes, left }: MigrateResult, dryRun: boolean): string {
  const lines = changes.flatMap(({ migration: { rows, does }, count, keys }) =>
    count === 0
      ? []
      : [
          `${rows}: ${count} ${dryRun ? 'to change' : 'changed'}. ${does}`,
          ...keys.map(({ PK, SK }) => `  ${PK} / ${SK}`),
          ...(keys.length > 0 && keys.length < count ? [`  and ${count - keys.length} more`] : []),
        ],
  )
  return [
    ...lines,
    ...(lines.length === 0 ? [`All ${read} rows have format ${rowFormat}.`] : [`${read} rows were read.`]),
    ...(left > 0 ? [`Left, because others changed them each time: ${left}. Run the command again.`] : []),
    ...(dryRun && lines.length > 0 ? ['This is what would be done. Nothing was changed.'] : []),
  ].join('\n')
}
