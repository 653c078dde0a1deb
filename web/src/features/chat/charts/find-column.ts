/** The ways in which a field names a column: as it is, with its dots and brackets escaped, or as a whole in brackets. */
function listForms(field: string): string[] {
  const unescaped = field.replaceAll(/\\{1,2}([.[\]'"])/g, '$1')
  const inBrackets = /^(?:datum)?\[(['"]?)([^]*)\1\]$/.exec(unescaped)?.[2]
  return [field, unescaped, ...(inBrackets === undefined ? [] : [inBrackets])]
}

/** Whether a field names a column itself. */
export const namesColumn = (field: string, column: string): boolean => listForms(field).includes(column)

/** The column that a field names, itself or by a path into its values. @returns undefined if there is none */
export function findColumn(field: string, columns: ReadonlySet<string>): string | undefined {
  const name = listForms(field).find((form) => columns.has(form))
  if (name !== undefined) return name
  const [first = ''] = field.split(/[.[]/, 1)
  return columns.has(first) ? first : undefined
}
