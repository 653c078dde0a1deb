import * as z from 'zod'
import type { UsageTotals } from '#shared/contracts/usage.ts'

/** What a request to a model used, or several. `cost` in USD; undefined where the model's price is not known. */
export interface ModelUsage {
  readonly inputTokens: number
  readonly cachedInputTokens?: number | undefined
  readonly outputTokens: number
  readonly images?: number | undefined
  readonly webSearches?: number | undefined
  readonly cost?: number | undefined
}

/** Sums of many days stay whole. */
const maxStoredCount = 1e14

/** A counter as it is stored: an odd one, which earlier releases may have written, must not hide the others. */
export const storedCount = z
  .unknown()
  .optional()
  .transform((value) =>
    Number.isFinite(value) ? Math.min(maxStoredCount, Math.max(0, Math.round(Number(value)))) : 0,
  )

/** Attributes that add up usage in a row. Costs are whole billionths of a dollar, so that sums are exact. */
export const usageCounters = z.object({
  input_tokens: storedCount,
  cached_tokens: storedCount,
  output_tokens: storedCount,
  images: storedCount,
  web_searches: storedCount,
  nano_usd: storedCount,
  /** tokens of models whose price is not known */
  unpriced_tokens: storedCount,
})
export type UsageCounters = z.infer<typeof usageCounters>

export const usageCounterNames = Object.keys(usageCounters.shape) as (keyof UsageCounters)[]

export const nanosPerDollar = 1e9

/** Converts what models used into counters of a row. An unknown cost counts as unpriced tokens. */
export function toCounters({
  inputTokens,
  cachedInputTokens = 0,
  outputTokens,
  images = 0,
  webSearches = 0,
  cost,
}: ModelUsage): UsageCounters {
  return {
    input_tokens: inputTokens,
    cached_tokens: Math.min(cachedInputTokens, inputTokens),
    output_tokens: outputTokens,
    images,
    web_searches: webSearches,
    nano_usd: Math.round((cost ?? 0) * nanosPerDollar),
    unpriced_tokens: cost === undefined ? inputTokens + outputTokens : 0,
  }
}

/** The counters of what was used beyond `earlier`, which is part of `usage`. */
export function countSince(usage: ModelUsage, earlier: ModelUsage | undefined): UsageCounters {
  const counters = toCounters(usage)
  if (!earlier) return counters
  const before = toCounters(earlier)
  for (const name of usageCounterNames) counters[name] = Math.max(0, counters[name] - before[name])
  return counters
}

/** @param row of the table; counters that it does not have are 0 */
export function parseCounters(row: Record<string, unknown>): UsageTotals {
  const { input_tokens, cached_tokens, output_tokens, images, web_searches, nano_usd, unpriced_tokens } =
    usageCounters.parse(row)
  // models may be free
  const isPriced = nano_usd > 0 || (unpriced_tokens === 0 && input_tokens + output_tokens > 0)
  return {
    inputTokens: input_tokens,
    cachedInputTokens: cached_tokens,
    outputTokens: output_tokens,
    images,
    ...(web_searches > 0 && { webSearches: web_searches }),
    ...(isPriced && { cost: nano_usd / nanosPerDollar }),
    ...(unpriced_tokens > 0 && { unpricedTokens: unpriced_tokens }),
  }
}

/** What several rows count together. */
export function sumUsage(rows: readonly Record<string, unknown>[]): UsageTotals {
  const sum = usageCounters.parse({})
  for (const row of rows) {
    const counters = usageCounters.parse(row)
    for (const name of usageCounterNames) sum[name] += counters[name]
  }
  return parseCounters(sum)
}

/** The part of the counters of a user's day that is of runs of schedules. Rows of earlier releases have none. */
const scheduledCounters = z.object({
  scheduled_replies: storedCount,
  scheduled_tokens: storedCount,
  scheduled_nano_usd: storedCount,
})

/** What runs of schedules have used, by the rows of a user's days; nothing where there were none. */
export function sumScheduled(rows: readonly Record<string, unknown>[]): Pick<UsageTotals, 'scheduled'> {
  const counts = rows.map((row) => scheduledCounters.parse(row))
  const sum = (name: keyof (typeof counts)[number]) => counts.reduce((total, count) => total + count[name], 0)
  const [replies, tokens, nanoUsd] = [
    sum('scheduled_replies'),
    sum('scheduled_tokens'),
    sum('scheduled_nano_usd'),
  ]
  if (replies === 0 && tokens === 0) return {}
  return { scheduled: { replies, tokens, ...(nanoUsd > 0 && { cost: nanoUsd / nanosPerDollar }) } }
}

/**
 * The `ADD` clause of counters, and its values; those that are 0 are left out.
 * @returns undefined when all are
 */
export function buildAddition(
  counters: Readonly<Record<string, number>>,
): { clause: string; values: Record<string, number> } | undefined {
  const added = Object.entries(counters).filter(([, value]) => value !== 0)
  if (added.length === 0) return undefined
  return {
    clause: added.map(([name]) => `#${name} :${name}`).join(', '),
    values: Object.fromEntries(added.map(([name, value]) => [`:${name}`, value])),
  }
}

export const dailyUsagePrefix = 'replies#'

/** The row of a user's day (UTC, in days since 1970): the budgets of replies, and what they used. */
export const dailyUsageKey = (sub: string, day: number) => ({
  PK: `RATE#${sub}`,
  SK: `${dailyUsagePrefix}${day}`,
})

/** @returns the day of such a row */
export const parseUsageDay = (sortKey: string): number => Number(sortKey.slice(dailyUsagePrefix.length))

const dayMs = 86_400_000

/** @param day in days since 1970 (UTC) @returns the first day of its month, and of the next one */
export function findMonth(day: number): { firstDay: number; endDay: number } {
  const date = new Date(day * dayMs)
  const toDay = (month: number) => Date.UTC(date.getUTCFullYear(), month) / dayMs
  return { firstDay: toDay(date.getUTCMonth()), endDay: toDay(date.getUTCMonth() + 1) }
}

/** How long the row of a user's day is stored, for the list of usage. */
export const dailyUsageDays = 62
/** How long it is without usage: calls of an account that was just erased may create it again. */
export const unusedDays = 2
