/** The list that the data is or, if it is an object with one list alone or with `rows`, has; and how to put another one in its place. */
function findList(data: unknown): { rows: unknown[]; replace: (rows: unknown[]) => unknown } | undefined {
  if (Array.isArray(data)) return { rows: data, replace: (rows) => rows }
  if (typeof data !== 'object' || data === null) return undefined
  const lists = Object.entries(data).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  // an answer of query_table has columns and sources, too
  const [name, rows] = (lists.length === 1 ? lists[0] : lists.find(([key]) => key === 'rows')) ?? []
  if (name === undefined || !rows) return undefined
  return { rows, replace: (fewer) => ({ ...data, [name]: fewer }) }
}

/**
 * Structured data with as many of its rows as fit, so that a table stays a table.
 * @returns the data as it is if all of it fits or it is no list; `totalRows` if rows are missing
 */
export function fitRows(data: unknown, maxCharacters: number): { data: unknown; totalRows?: number } {
  const list = findList(data)
  if (!list || JSON.stringify(data).length <= maxCharacters) return { data }
  const { rows, replace } = list
  let charactersLeft = maxCharacters - JSON.stringify(replace([])).length
  let count = 0
  for (const row of rows) {
    // with its comma
    charactersLeft -= (JSON.stringify(row)?.length ?? 4) + 1
    if (charactersLeft < 0) break
    count += 1
  }
  return count === 0 ? { data } : { data: replace(rows.slice(0, count)), totalRows: rows.length }
}
