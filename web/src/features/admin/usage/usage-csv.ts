import type { AdminUsage } from '#shared/contracts/admin.ts'
import { byteOrderMark, formatCsv } from '#shared/format-csv.ts'
import type { Usage } from './usage-columns.ts'

/** The columns of numbers, by their names. They are for programs, so they are not translated. */
const numberColumns: Readonly<Record<string, (usage: Usage) => number | undefined>> = {
  replies: ({ replies }) => replies,
  input_tokens: ({ inputTokens }) => inputTokens,
  cached_input_tokens: ({ cachedInputTokens }) => cachedInputTokens,
  output_tokens: ({ outputTokens }) => outputTokens,
  images: ({ images }) => images,
  web_searches: ({ webSearches = 0 }) => webSearches,
  cost_usd: ({ cost }) => cost,
  unpriced_tokens: ({ unpricedTokens = 0 }) => unpricedTokens,
  scheduled_replies: ({ scheduled }) => scheduled?.replies ?? 0,
  scheduled_tokens: ({ scheduled }) => scheduled?.tokens ?? 0,
  scheduled_cost_usd: ({ scheduled }) => scheduled?.cost,
}

/**
 * A month as CSV (RFC 4180): a row for each user and group, and one for the total. Groups of a user have commas between them, which no name
 * has. A byte order mark, so that Excel reads UTF-8.
 */
export function formatUsageCsv({ users, groups, total }: AdminUsage): string {
  const rows = [
    ...users.map((user) => ['user', user.email, user.id, user.groups.join(', '), ...listNumbers(user)]),
    ...groups.map((group) => ['group', group.name, '', '', ...listNumbers(group)]),
    ['total', '', '', '', ...listNumbers(total)],
  ]
  return byteOrderMark + formatCsv([['kind', 'name', 'id', 'groups', ...Object.keys(numberColumns)], ...rows])
}

/** Numbers that are not known are empty. */
const listNumbers = (usage: Usage): string[] =>
  Object.values(numberColumns).map((getNumber) => String(getNumber(usage) ?? ''))
