import { writeTables } from './build.ts'
import type { RecordTable } from './query-contract.ts'
import { readRecords } from './records.ts'

export function writeRecords(records: readonly RecordTable[], path: string): void {
  const read = records.map(readRecords)
  writeTables(
    path,
    read.map(({ table, habits }) => ({ ...table, habits })),
  )
}
