/** One row of the custom fields; `id` only keeps rows apart. */
export interface FieldRow {
  id: string
  key: string
  value: string
}

export interface ToolForm {
  name: string
  description: string
  serverUrl: string
  apiKey: string
  fields: readonly FieldRow[]
}

export const emptyRow = (): FieldRow => ({ id: crypto.randomUUID(), key: '', value: '' })
export const emptyToolForm = (): ToolForm => ({
  name: '',
  description: '',
  serverUrl: '',
  apiKey: '',
  fields: [emptyRow()],
})

/** CUST-12; pairs count only when both sides say something (CUST-08). */
export function toolConfig({ serverUrl, apiKey, fields }: ToolForm) {
  const pairs = fields
    .map(({ key, value }) => [key.trim(), value.trim()] as const)
    .filter(([key, value]) => key !== '' && value !== '')
  return { serverUrl: serverUrl.trim(), apiKey: apiKey.trim(), customFields: Object.fromEntries(pairs) }
}

/** CUST-10: the last row stays. */
export function withoutRow(fields: readonly FieldRow[], id: string): readonly FieldRow[] {
  return fields.length > 1 ? fields.filter((row) => row.id !== id) : fields
}
