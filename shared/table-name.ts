import * as z from 'zod'

/** Names that SQLite keeps for itself or that statements may not read, and those of other tables that a statement sees. */
export const reservedTableName = /^(?:sqlite_|pragma_|dbstat|all_columns$)/i

/** A name of a table that statements use without quotation marks. */
export const tableName = z
  .string()
  .regex(/^[\p{L}\p{M}\p{N}_]{1,70}$/u)
  .refine((name) => !reservedTableName.test(name))
