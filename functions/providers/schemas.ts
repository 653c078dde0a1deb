import { sayCapability, type CapabilityNoun } from '#shared/sentences/capabilities.ts'
import { ToolError } from '../platform/tool-error.ts'
import * as z from 'zod'
import type { ConnectedApi } from './api.ts'
import { cleanText, httpsLink } from '../platform/untrusted-text.ts'

/** How many rows a call returns, from 1 to `max`. @param what the rows, for the model */
export const limit = (what: string, defaultValue = 20, max = 100) =>
  z.number().int().min(1).max(max).default(defaultValue).describe(`how many ${what}`)

/** Optional words to search for. @param where what is searched, for the model */
export const searchTerm = (where: string) =>
  z.string().trim().max(200).optional().describe(`words to search for in ${where}; empty for all`)

/** A required text of one line. */
export const singleLine = (what: string, max = 255) => z.string().trim().min(1).max(max).describe(what)

/** A text of several lines, which may be empty. */
export const longText = (what: string, max = 20_000) => z.string().max(max).describe(what)

/** A date, or a date and time with an offset (RFC 3339). */
export const dateOrDateTime = (what: string) =>
  z
    .union([z.iso.date(), z.iso.datetime({ offset: true })])
    .describe(`${what}: 2026-11-20T15:00:00Z, with its offset, or a date such as 2026-11-20`)

/** Whether a text is a date without a time. */
export const isDateOnly = (time: string) => /^\d{4}-\d\d-\d\d$/.test(time)

/** @param date as `2026-11-20`, as is the result */
export const addDays = (date: string, count: number): string =>
  new Date(Date.parse(date) + count * 86_400_000).toISOString().slice(0, 10)

/**
 * The last day of an event of whole days, of which calendars name the day after. One without a length has one day. A day that cannot be
 * read stays as it is.
 */
export function findLastDay(start: string | undefined, dayAfter: string): string {
  if (!isDateOnly(dayAfter) || Number.isNaN(Date.parse(dayAfter))) return shortText(dayAfter)
  const day = addDays(dayAfter, -1)
  return start !== undefined && day < start ? start : day
}

/** A date becomes midnight UTC at its beginning. Times stay as they are. */
export const startOfPeriod = (time: string): string => (isDateOnly(time) ? `${time}T00:00:00Z` : time)

/** A date becomes midnight UTC at its end, so that the day belongs to the period. Times stay as they are. */
export const endOfPeriod = (time: string): string =>
  isDateOnly(time) ? startOfPeriod(addDays(time, 1)) : time

/** Cleans a short untrusted text, such as a name or a title. */
export const shortText = (text: unknown) => cleanText(text, 300)

/** A text of a response for the model, which has to be there. */
export const shortField = z.string().transform(shortText)

/** A text of a response for the model, which may be missing: then it is empty. */
export const optionalField = z.string().nullish().transform(shortText)

/** A link of a response, if it is one that may be shown. */
export const linkField = z.string().nullish().transform(httpsLink)

/** A time that cannot be read stays as the service sent it: it takes neither its row nor the list with it. */
const formatTime = (time: Date, raw: string | number) =>
  Number.isNaN(time.getTime()) ? shortText(String(raw)) : time.toISOString()

/** A time of a response as an ISO 8601 time, if it can be read. */
export const toIsoTime = (time: string | number) => formatTime(new Date(time), time)

/** Seconds since 1970 in a response as an ISO 8601 time, if they can be read. */
export const secondsToIsoTime = (seconds: string | number) =>
  formatTime(new Date(Number(seconds) * 1_000), seconds)

export interface NamedRow {
  id: string
  name: string
}

/**
 * Finds a row by name or id. Without either, returns the only row, but never chooses among several, nor among several with the same name.
 * @throws ToolError that lists the available rows, or the ids of those with the name
 */
export function findByNameOrId<Row extends NamedRow>(
  rows: readonly Row[],
  nameOrId: string | undefined,
  what: CapabilityNoun,
): Row {
  const [single, ...others] = rows
  if (!single) throw new ToolError(sayCapability('none_available.kind', { what }))
  const text = nameOrId?.trim().toLowerCase() ?? ''
  if (text === '' && others.length === 0) return single
  const withId = rows.find(({ id }) => id.toLowerCase() === text)
  if (withId) return withId
  const [named, ...namesakes] = rows.filter(({ name }) => name.toLowerCase() === text)
  if (named && namesakes.every(({ id }) => id === named.id)) return named
  if (named) {
    const ids = [named, ...namesakes].map(({ id }) => id)
    throw new ToolError(
      sayCapability('which_one.same_name', { what, count: ids.length, ids: quoteSome(ids) }),
    )
  }
  const names = quoteSome(rows.map(({ name }) => name))
  throw new ToolError(sayCapability(text === '' ? 'which_one.names' : 'which_one.unknown', { what, names }))
}

/** Lists at most 20 short texts, in quotes. */
export const quoteSome = (texts: readonly string[]) =>
  texts
    .slice(0, 20)
    .map((text) => `"${cleanText(text, 60)}"`)
    .join(', ')

const graphqlErrors = z.object({
  errors: z
    .array(
      z.object({ message: z.string(), extensions: z.object({ code: z.string().optional() }).optional() }),
    )
    .min(1),
})

const graphqlStatus = new Map([
  ['RATELIMITED', 429],
  ['THROTTLED', 429],
  ['AUTHENTICATION_ERROR', 401],
  ['FORBIDDEN', 403],
  ['ACCESS_DENIED', 403],
  ['INTERNAL_SERVER_ERROR', 500],
])

export interface GraphqlOperation {
  query: string
  variables: Record<string, unknown>
  reads: boolean
}

/** Calls a GraphQL API, which reports errors with status 200, or 400 for an invalid query. */
export async function graphql(
  api: ConnectedApi,
  { query, variables, reads }: GraphqlOperation,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await api.call(
    '',
    {
      method: 'POST',
      json: { query, variables },
      reads,
      toFailure(body) {
        const [first] = graphqlErrors.safeParse(body).data?.errors ?? []
        const status = graphqlStatus.get(first?.extensions?.code ?? '') ?? 400
        return first && { status, message: first.message }
      },
    },
    signal,
  )
  return z.object({ data: z.unknown() }).parse(response).data
}

/** Maps items concurrently, at most `size` at a time, and keeps their order. */
export async function mapInBatches<Item, Result>(
  items: readonly Item[],
  size: number,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += size)
    results.push(...(await Promise.all(items.slice(at, at + size).map(map))))
  return results
}
