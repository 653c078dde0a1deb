type TypedValues = Readonly<Record<string, string>>

/** How typed values travel to a remote server. */

const headerToken = /^[A-Za-z0-9!#$%&'*+.^_|~-]{1,64}$/
/** Headers that say how a request travels, not who sends it. */
const ownHeaders = new Set([
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'accept',
  'cookie',
])
const visible = (value: string) => value.replace(/[^\x20-\x7e]/g, '')
const isFree = (name: string) => headerToken.test(name) && !ownHeaders.has(name.toLowerCase())

/** CUST-08: pairs with a blank side are none. */
export function filledFields(fields: Record<string, string>): [string, string][] {
  return Object.entries(fields)
    .map(([name, value]): [string, string] => [name.trim(), value.trim()])
    .filter(([name, value]) => name !== '' && value !== '')
}

/**
 * Of a custom tool: the key as a bearer token, unless a field called `header` names another header for it; the other fields whose
 * names can be headers under their names.
 */
export function toolHeaders({
  apiKey,
  customFields,
}: {
  apiKey: string
  customFields: Record<string, string>
}): Record<string, string> {
  const fields = filledFields(customFields)
  const named = fields.find(([name]) => name.toLowerCase() === 'header')?.[1]
  const headers: Record<string, string> = {}
  for (const [name, value] of fields)
    if (name.toLowerCase() !== 'header' && isFree(name)) headers[name.toLowerCase()] = visible(value)
  const key = visible(apiKey.trim())
  if (key === '') return headers
  if (named !== undefined && isFree(named)) return { ...headers, [named.toLowerCase()]: key }
  return { ...headers, authorization: `Bearer ${key}` }
}

/** As `toolHeaders`, of the values that the vault holds. */
export function keptToolHeaders(typed: TypedValues): Record<string, string> {
  const fields = Object.entries(typed).filter(([name]) => name.startsWith('field:'))
  return toolHeaders({
    apiKey: typed[apiKeyName] ?? '',
    customFields: Object.fromEntries(fields.map(([name, value]) => [name.slice('field:'.length), value])),
  })
}

/** Of a registry entry, which names the headers that it wants; one key without a name travels as a bearer token. */
export function entryHeaders(
  fields: readonly { name: string; label: string }[],
  typed: TypedValues,
): Record<string, string> {
  const headers = Object.entries(typed).map(([name, value]): [string, string] => {
    const label = fields.find((field) => field.name === name)?.label ?? name
    const isHeader = name !== 'apiKey' && /^[A-Za-z0-9-]{1,64}$/.test(label)
    const bearer = !isHeader || (/^authorization$/i.test(label) && !/\s/.test(value))
    return [isHeader ? label : 'authorization', visible(`${bearer ? 'Bearer ' : ''}${value}`)]
  })
  return Object.fromEntries(headers)
}

/** The key's name among the typed values; a field of the form cannot have it. */
export const apiKeyName = 'api-key'

export const fieldName = (name: string) => `field:${name}`
