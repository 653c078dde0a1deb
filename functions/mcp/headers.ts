/** Name of the API key in the stored credentials of a custom tool. A field of the form cannot have it: its name has a prefix. */
export const apiKeyField = 'api-key'

/** Name of the whole address in the stored credentials, if a part of it may be a key. */
export const addressField = 'address'

/** Before the names of custom headers in the stored credentials. */
const fieldPrefix = 'field:'

/** Name of a custom header in the stored credentials. */
export const toCustomFieldName = (name: string) => `${fieldPrefix}${name}`

/** The custom headers among a custom tool's stored credentials, or among their masks. */
export const listCustomFields = (credentials: Credentials): Record<string, string> =>
  Object.fromEntries(
    Object.entries(credentials)
      .filter(([name]) => name.startsWith(fieldPrefix))
      .map(([name, value]) => [name.slice(fieldPrefix.length), value]),
  )

/** Credentials for a remote server, by field name. */
type Credentials = Readonly<Record<string, string>>

const headerToken = /^[A-Za-z0-9!#$%&'*+.^_|~-]{1,64}$/
/**
 * Headers that belong to the transport, of HTTP (RFC 9110 section 7.6.1) or of MCP (`mcp-…`); credentials may not set them. With some, such as
 * `Expect`, fetch sends no request at all.
 */
const transportHeaders = new Set([
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'accept',
  'last-event-id',
])
function isTransportHeader(name: string): boolean {
  const lower = name.toLowerCase()
  return transportHeaders.has(lower) || lower.startsWith('mcp-')
}
const toPrintable = (value: string) => value.replace(/[^\x20-\x7e]/g, '')
const isAllowedHeader = (name: string) =>
  headerToken.test(name) && !isTransportHeader(name) && name.toLowerCase() !== 'cookie'

/** A value as it is copied from an example request, with the header's name before it. */
const removeName = (name: string, value: string) =>
  value.toLowerCase().startsWith(`${name.toLowerCase()}:`) ? value.slice(name.length + 1).trimStart() : value

/**
 * The value of `Authorization` for a key, which may be copied from an example request with the header's name and a scheme before it. No key
 * has spaces, so whatever stands before one is its scheme (RFC 9110 section 11.4).
 */
function toAuthorization(key: string): string {
  // quoted, as it is copied from a command line
  const [, quoted = key] = /^(?:-H|--header)?[ =]{0,3}["'](.{1,8000})["']$/.exec(key) ?? []
  const value = removeName('authorization', quoted)
  const token = value.replace(/^bearer +/i, '')
  return token === value && /^[\w.-]{1,40} +\S/.test(value) ? value : `Bearer ${token}`
}

/** Trims names and values, and drops pairs where either is blank. */
export function trimFields(fields: Record<string, string>): [string, string][] {
  return Object.entries(fields)
    .map(([name, value]): [string, string] => [name.trim(), value.trim()])
    .filter(([name, value]) => name !== '' && value !== '')
}

/**
 * Request headers of a custom tool: the key as a bearer token, or in the header that a field called `header` names; every other field
 * whose name is a valid header becomes that header.
 */
export function buildCustomToolHeaders({
  apiKey,
  customFields,
}: {
  apiKey: string
  customFields: Record<string, string>
}): Record<string, string> {
  const fields = trimFields(customFields)
  const headerName = fields.find(([name]) => name.toLowerCase() === 'header')?.[1]
  const headers: Record<string, string> = {}
  for (const [name, value] of fields)
    if (name.toLowerCase() !== 'header' && isAllowedHeader(name))
      headers[name.toLowerCase()] = toPrintable(removeName(name, value))
  const key = toPrintable(apiKey.trim())
  if (key === '') return headers
  if (headerName !== undefined && isAllowedHeader(headerName))
    return { ...headers, [headerName.toLowerCase()]: removeName(headerName, key) }
  return { ...headers, authorization: toAuthorization(key) }
}

const mask = '••••'

/** Whether a part of a path looks generated: services give out addresses whose path is the key, to be kept like a password. */
function isKeyLike(segment: string): boolean {
  const letters = segment.replace(/[^A-Za-z0-9]/g, '')
  return letters.length >= 20 && (/\d/.test(letters) || (/[a-z]/.test(letters) && /[A-Z]/.test(letters)))
}

/**
 * The parts of a custom tool's address: its query and its path may contain a key. It errs on the side of a secret.
 * @returns `shown` with masked values, and the whole address if something is masked
 */
export function splitAddress(address: string): { shown: string; secret?: string } {
  const url = URL.parse(address)
  if (!url) return { shown: address }
  const path = url.pathname
    .split('/')
    .map((segment) => (isKeyLike(segment) ? mask : segment))
    .join('/')
  if (url.search === '' && path === url.pathname) return { shown: address }
  // without `=`, the name may be the key
  const parameters = url.search
    .slice(1)
    .split('&')
    .map((parameter) =>
      parameter.includes('=') ? `${parameter.slice(0, parameter.indexOf('='))}=${mask}` : mask,
    )
  const query = url.search === '' ? '' : `?${parameters.join('&')}`
  return { shown: `${url.origin}${path}${query}`, secret: address }
}

/** The address that a custom tool's requests go to. @param shown the stored one */
export const getStoredAddress = (shown: string, credentials: Credentials): string =>
  credentials[addressField] ?? shown

/** As `buildCustomToolHeaders`, from credentials in the vault. */
export function buildStoredCustomToolHeaders(credentials: Credentials): Record<string, string> {
  return buildCustomToolHeaders({
    apiKey: credentials[apiKeyField] ?? '',
    customFields: listCustomFields(credentials),
  })
}

/**
 * Request headers for a catalogue entry, which names its headers, except those of the transport; a key without a header name becomes a
 * bearer token.
 */
export function buildEntryHeaders(
  fields: readonly { name: string; label: string }[],
  credentials: Credentials,
): Record<string, string> {
  const headers = Object.entries(credentials).flatMap(([name, entered]): [string, string][] => {
    const label = fields.find((field) => field.name === name)?.label ?? name
    const isHeader = name !== 'apiKey' && headerToken.test(label)
    if (isHeader && isTransportHeader(label)) return []
    const isAuthorization = !isHeader || /^authorization$/i.test(label)
    const sent = isAuthorization ? toAuthorization(toPrintable(entered.trim())) : removeName(label, entered)
    return [[isHeader ? label : 'authorization', toPrintable(sent)]]
  })
  return Object.fromEntries(headers)
}
