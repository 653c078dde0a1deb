/** A row of the custom fields; `id` is its React key. */
export interface FieldRow {
  id: string
  key: string
  value: string
}

/** The values of the form of a new custom tool. */
export interface ToolForm {
  name: string
  description: string
  serverUrl: string
  apiKey: string
  fields: readonly FieldRow[]
}

/** Creates an empty row of the custom fields. */
export const createRow = (): FieldRow => ({ id: crypto.randomUUID(), key: '', value: '' })
/** Creates the form of a new custom tool, with one empty field. */
export const createToolForm = (): ToolForm => ({
  name: '',
  description: '',
  serverUrl: '',
  apiKey: '',
  fields: [createRow()],
})

/** Converts the form to a tool configuration; rows without key or value are dropped. */
export function toToolConfig({ serverUrl, apiKey, fields }: ToolForm) {
  const pairs = fields
    .map(({ key, value }) => [key.trim(), value.trim()] as const)
    .filter(([key, value]) => key !== '' && value !== '')
  return { serverUrl: serverUrl.trim(), apiKey: apiKey.trim(), customFields: Object.fromEntries(pairs) }
}

/** Removes a row, except the last one. */
export function removeRow(fields: readonly FieldRow[], id: string): readonly FieldRow[] {
  return fields.length > 1 ? fields.filter((row) => row.id !== id) : fields
}
