import { randomBytes } from 'node:crypto'
import { parseJson } from '#shared/parse-json.ts'
import demoData from './demo-data.json' with { type: 'json' }
import { type ProviderResponse, type ProviderRequest, json } from './http.ts'
import type { ProviderStore, Row } from './store.ts'

/** A request to a provider's API, parsed. */
interface ApiRequest {
  /** path parameters, which the pattern names with `:` */
  pathParams: readonly string[]
  query: URLSearchParams
  headers: ProviderRequest['headers']
  rawBody: string
  /** the body parsed as JSON or as a form; empty for anything else */
  body: Row
  /** the initial rows, then those that were written; newest last */
  rows: (kind: string) => Row[]
  /** saves a row and returns it */
  saveRow: (kind: string, row: Row) => Promise<Row>
}

/** A provider's API: each `METHOD /path/:part` and its handler. */
export type Routes = Readonly<
  Record<string, (request: ApiRequest) => ProviderResponse | Promise<ProviderResponse>>
>

const fixed: Readonly<Record<string, Readonly<Record<string, unknown>>>> = demoData.fixed

/** Text such as `soon 1 9` and `soon 3` as a time or a day from now: calendar events stay in the future. */
const toSoon = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toSoon)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toSoon(one)]))
  const [, days, hour] = (typeof value === 'string' && /^soon (\d+)(?: (\d+))?$/.exec(value)) || []
  if (days === undefined) return value
  const day = new Date(Date.now() + Number(days) * 86_400_000)
  day.setUTCHours(Number(hour ?? 0), 0, 0, 0)
  return hour === undefined ? day.toISOString().slice(0, 10) : day.toISOString()
}

function listInitialRows(provider: string, kind: string): Row[] {
  const kinds = (demoData.rows as Record<string, Record<string, Row[]>>)[provider] ?? {}
  return Object.hasOwn(kinds, kind) ? (toSoon(kinds[kind]) as Row[]) : []
}

/** The path parameters of `METHOD /path/:part`; undefined when the request does not match. */
export function matchPattern(pattern: string, { method, path }: Pick<ProviderRequest, 'method' | 'path'>) {
  const [verb, pathPattern = ''] = pattern.split(' ')
  if (verb !== method) return undefined
  const match = new RegExp(`^${pathPattern.replace(/[.()]/g, '\\$&').replace(/:\w+/g, '([^/]+)')}$`).exec(
    path,
  )
  return match?.slice(1).map(decodeURIComponent)
}

/** Responds with an answer that never changes, or the handler of the first route that matches. */
export function respondFrom(
  routes: Routes,
  store: ProviderStore,
  provider: string,
  request: ProviderRequest,
): ProviderResponse | Promise<ProviderResponse> {
  for (const [pattern, answer] of Object.entries(fixed[provider] ?? {}))
    if (matchPattern(pattern, request)) return json(200, answer)
  const { query, headers, body } = request
  for (const [pattern, respond] of Object.entries(routes)) {
    const pathParams = matchPattern(pattern, request)
    if (!pathParams) continue
    const { rows } = store.state
    return respond({
      pathParams,
      query,
      headers,
      rawBody: body,
      body: parseBody(headers['content-type'] ?? '', body),
      rows: (kind) => [...listInitialRows(provider, kind), ...(rows[`${provider}.${kind}`] ?? [])],
      async saveRow(kind, row) {
        ;(rows[`${provider}.${kind}`] ??= []).push(row)
        await store.save()
        return row
      },
    })
  }
  return json(404, { message: 'Not found', error: 'this double has no such route' })
}

function parseBody(type: string, body: string): Row {
  if (type.includes('x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(body))
  return record(parseJson(body))
}

export const record = (value: unknown): Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : {}
/** The value if it is a string, otherwise an empty string. */
export const text = (value: unknown) => (typeof value === 'string' ? value : '')
export const newId = (bytes = 6) => randomBytes(bytes).toString('hex')
/** Digits alone. */
export const newNumericId = () => String(Date.now()) + String(randomBytes(2).readUInt16BE()).padStart(5, '0')

/** The page of rows that a query asks for, and where the next one starts. */
export function paginate<One>(rows: readonly One[], limit: unknown, from: unknown = 0) {
  const start = Number(from) || 0
  const end = start + Math.max(1, Number(limit ?? 20) || 20)
  return { page: rows.slice(start, end), next: end < rows.length ? String(end) : undefined }
}

/** Whether a row contains the search text somewhere, in any case. */
export const mentions = (row: unknown, searchText: string) =>
  JSON.stringify(row).toLowerCase().includes(searchText.toLowerCase())
