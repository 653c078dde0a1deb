import { deleteRow } from '../dynamodb/rows.ts'
import type { Table } from '../dynamodb/table.ts'

/** The browsers that are told about a user's conversations. */
export const pushSubscriptionsKey = (sub: string) => ({ PK: `PUSH#${sub}`, SK: 'BROWSERS' })

/** Removes them all: with a sign-in ends what its browser is told. A browser that signs in again subscribes again. */
export const removePushSubscriptions = (table: Table, sub: string): Promise<void> =>
  deleteRow(table, pushSubscriptionsKey(sub))
