import { writeTables } from './build.ts'
import type { RecordTable } from './query-contract.ts'
import { readRecords } from './records.ts'

/** Writes lists of objects to a database, as the tables `t1`, `t2`. The texts of each are read by its own habits. */
export function writeRecords(records: readonly RecordTable[], path: string): void {
  const read = records.map(readRecords)
  writeTables(
    path,
    read.map(({ table, habits }) => ({ ...table, habits })),
  )
}
