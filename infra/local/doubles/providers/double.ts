import { randomBytes } from 'node:crypto'
import { type ProviderResponse, type ProviderRequest, json } from './http.ts'
import type { Row } from './store.ts'

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

/**
 * A provider's API over rows: what is written is in the next list. Requests that a provider refuses for their form are refused by its
 * contract in tests; its double has the refusals that depend on what there is.
 */
export interface Double {
  /**
   * What it holds at first by kind, in the form in which the API returns it; text such as `soon 1 9` is tomorrow at nine, `soon 3` a day
   * alone.
   */
  rows?: Readonly<Record<string, readonly Row[]>>
  /** answers that never change, by `METHOD /path/:part` */
  fixed?: Readonly<Record<string, unknown>>
  routes?: Routes
  /** its response to an invalid token or key, if it has a form of its own */
  unauthorized?: ProviderResponse
}

export const ok = (value: unknown): ProviderResponse => json(200, value)

/** A response to an invalid token (RFC 6750). */
export const invalidToken = (body: unknown): ProviderResponse =>
  json(401, body, { 'www-authenticate': 'Bearer error="invalid_token"' })

/** The error of a GraphQL API. */
export const graphqlError = (message: string, code: string) => ({
  errors: [{ message, extensions: { code } }],
})

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

/** The time, or the day, at which an event starts. */
export const getStart = (event: Row) =>
  text(record(event['start'])['dateTime'] ?? record(event['start'])['date'])
