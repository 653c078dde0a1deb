import * as z from 'zod'

// What the row of a file, and so the prompt, has of its tables.

const count = z.int().nonnegative()
const name = z
  .string()
  .max(64)
  .regex(/^[\p{L}\p{M}\p{N}_]+$/u)
const value = z.union([z.string().max(80), z.number(), z.null()])

const column = z.object({
  name,
  /** as the header has it, if the name does not say it */
  title: z.string().max(80).exactOptional(),
  type: z.enum(['number', 'date', 'boolean', 'text']),
  unit: z.string().max(10).exactOptional(),
  /** rows without a value */
  empty: count,
  note: z.string().max(120).exactOptional(),
})

export const tableInfo = z.object({
  /** what it is called unless another table has the name; empty for the only table of a file */
  name: z.union([name, z.literal('')]),
  /** its sheet; absent for a CSV */
  sheet: z.string().max(100).exactOptional(),
  isHidden: z.literal(true).exactOptional(),
  /** such as `A1:L50001`, with its header */
  range: z.string().max(40),
  rows: count,
  /** what its rows lack unless a statement asks for it: rows that sum up others, notes behind it */
  leftOut: z.string().max(160).exactOptional(),
  note: z.string().max(160).exactOptional(),
  /** the first ones, if they are many; none if other tables have taken the room */
  columns: z.array(column).max(200),
  columnCount: count,
  /** first rows, by the columns above */
  sample: z.array(z.array(value).max(200)).max(3),
})
export type TableInfo = z.infer<typeof tableInfo>
export type ColumnInfo = TableInfo['columns'][number]

/** Of one file; a file with more tables has these first. */
export const maxTables = 50
/** Of all tables of a file as JSON: they are in the file's row. */
export const maxInfoCharacters = 6_000

/** The tables of a file, in the order in which its database numbers them: `t1`, `t2`. None: they could not be built. */
export const storedTables = z
  .array(tableInfo)
  .max(maxTables)
  .refine((tables) => JSON.stringify(tables).length <= 2 * maxInfoCharacters, 'too long')
export type StoredTables = z.infer<typeof storedTables>
