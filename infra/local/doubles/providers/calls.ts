import { randomBytes } from 'node:crypto'
import { type ProviderResponse, type ProviderRequest, json } from './http.ts'
import type { ProviderStore, Row } from './store.ts'

/** A call of a provider's API with what it needs to be answered. */
interface Call {
  /** the parts of the path that the pattern names with `:` */
  parts: readonly string[]
  query: URLSearchParams
  headers: ProviderRequest['headers']
  /** the body as it came */
  text: string
  /** the body as an object: of JSON or of a form; empty where it is neither */
  body: Row
  /** rows that were written here, after those that were there at first; newest last */
  rows: (kind: string, first?: readonly Row[]) => Row[]
  /** keeps a row and gives it back */
  keep: (kind: string, row: Row) => Promise<Row>
}

/** `METHOD /path/:part` and what it answers. */
export type Calls = Readonly<Record<string, (call: Call) => ProviderResponse | Promise<ProviderResponse>>>

/** The parts of a path that `METHOD /path/:part` names; undefined where the request is another one. */
export function matchPattern(pattern: string, { method, path }: Pick<ProviderRequest, 'method' | 'path'>) {
  const [verb, form = ''] = pattern.split(' ')
  if (verb !== method) return undefined
  const match = new RegExp(`^${form.replace(/[.()]/g, '\\$&').replace(/:\w+/g, '([^/]+)')}$`).exec(path)
  return match?.slice(1).map(decodeURIComponent)
}

/** Answers a call from a provider's table. */
export function answerFrom(
  calls: Calls,
  store: ProviderStore,
  provider: string,
  { method, path, query, headers, body }: ProviderRequest,
): ProviderResponse | Promise<ProviderResponse> {
  for (const [pattern, answer] of Object.entries(calls)) {
    const parts = matchPattern(pattern, { method, path })
    if (!parts) continue
    const { rows } = store.state
    return answer({
      parts,
      query,
      headers,
      text: body,
      body: parseBody(headers['content-type'] ?? '', body),
      rows: (kind, first = []) => [...first, ...(rows[`${provider}.${kind}`] ?? [])],
      async keep(kind, row) {
        ;(rows[`${provider}.${kind}`] ??= []).push(row)
        await store.save()
        return row
      },
    })
  }
  return json(404, { message: 'Not found', error: 'this stand-in has no such call' })
}

function parseBody(type: string, body: string): Row {
  if (type.includes('x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(body))
  try {
    return record(JSON.parse(body))
  } catch {
    return {}
  }
}

export const record = (value: unknown): Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : {}
/** A text; what is none is empty. */
export const text = (value: unknown) => (typeof value === 'string' ? value : '')
export const newId = (bytes = 6) => randomBytes(bytes).toString('hex')
/** Digits alone. */
export const newNumber = () => String(Date.now()) + String(randomBytes(2).readUInt16BE()).padStart(5, '0')

/** As many rows as a query asks for, from where it says. */
export function paginate<One>(
  rows: readonly One[],
  { most, start = 0 }: { most: string | null | number | undefined; start?: number },
) {
  const count = Math.max(1, Number(most ?? 20) || 20)
  const end = start + count
  return { page: rows.slice(start, end), next: end < rows.length ? end : undefined }
}

/** Whether one of a row's texts has the words. */
export const mentions = (row: unknown, words: string) =>
  JSON.stringify(row).toLowerCase().includes(words.toLowerCase())

/** A time some days from now, on the hour: what a calendar shows stays ahead. */
export function soon(days: number, hour: number): string {
  const day = new Date(Date.now() + days * 86_400_000)
  day.setUTCHours(hour, 0, 0, 0)
  return day.toISOString()
}
