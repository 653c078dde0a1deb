import type * as z from 'zod'

const isRow = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The innermost row of a list on the way to a value. Texts and numbers of a list are no rows: their index may have a meaning. */
function findRow(body: unknown, path: readonly PropertyKey[]): Record<string, unknown> | undefined {
  let current = body
  let found: Record<string, unknown> | undefined
  for (const key of path) {
    const next: unknown =
      typeof current === 'object' && current !== null ? Reflect.get(current, key) : undefined
    if (Array.isArray(current) && isRow(next)) found = next
    current = next
  }
  return found
}

/** @throws `error` if a list has no other rows: then all of them have another form than expected */
function removeRows(value: unknown, rows: ReadonlySet<unknown>, error: z.ZodError): unknown {
  if (Array.isArray(value)) {
    const others = value.filter((item) => !rows.has(item))
    if (others.length === 0 && value.length > 0) throw error
    return others.map((item: unknown) => removeRows(item, rows, error))
  }
  if (!isRow(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, removeRows(item, rows, error)]))
}

/**
 * Parses a response of a provider. A row of a list that does not fit the schema is left out, and does not take the others with it.
 * @returns the value, and how many rows it lacks
 * @throws ZodError if something else does not fit, or no row of a list
 */
export function parseWithoutBadRows<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): { value: z.output<Schema>; badRows: number } {
  const { data, error } = schema.safeParse(body)
  if (!error) return { value: data as z.output<Schema>, badRows: 0 }
  const rows = new Set<unknown>()
  for (const { path } of error.issues) {
    const row = findRow(body, path)
    if (!row) throw error
    rows.add(row)
  }
  return { value: schema.parse(removeRows(body, rows, error)), badRows: rows.size }
}
