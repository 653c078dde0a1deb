import { writeTables } from './build.ts'
import type { RecordTable } from './query-contract.ts'
import { readRecords } from './records.ts'

export const writeRecords = (records: readonly RecordTable[], path: string) =>
  writeTables(
    path,
    records.map(readRecords).map(({ table, habits }) => ({ ...table, habits })),
  )
