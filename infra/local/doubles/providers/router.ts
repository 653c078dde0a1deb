import { parseJson } from '#shared/parse-json.ts'
import { type Double, record } from './double.ts'
import { type ProviderResponse, type ProviderRequest, json } from './http.ts'
import type { ProviderStore, Row } from './store.ts'

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

const listInitialRows = ({ rows = {} }: Double, kind: string): Row[] =>
  Object.hasOwn(rows, kind) ? (toSoon(rows[kind]) as Row[]) : []

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
  double: Double,
  store: ProviderStore,
  provider: string,
  request: ProviderRequest,
): ProviderResponse | Promise<ProviderResponse> {
  for (const [pattern, answer] of Object.entries(double.fixed ?? {}))
    if (matchPattern(pattern, request)) return json(200, answer)
  const { query, headers, body } = request
  for (const [pattern, respond] of Object.entries(double.routes ?? {})) {
    const pathParams = matchPattern(pattern, request)
    if (!pathParams) continue
    const { rows } = store.state
    return respond({
      pathParams,
      query,
      headers,
      rawBody: body,
      body: parseBody(headers['content-type'] ?? '', body),
      rows: (kind) => [...listInitialRows(double, kind), ...(rows[`${provider}.${kind}`] ?? [])],
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
