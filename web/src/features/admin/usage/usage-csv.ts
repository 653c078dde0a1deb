import type { AdminUsage } from '#shared/contracts/admin.ts'
import { byteOrderMark, formatCsv } from '#shared/format-csv.ts'

/** The column names. They are for programs, so they are not translated. */
const columns = [
  'kind',
  'name',
  'id',
  'groups',
  'replies',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'images',
  'web_searches',
  'cost_usd',
  'unpriced_tokens',
  'scheduled_replies',
  'scheduled_tokens',
  'scheduled_cost_usd',
]

/**
 * A month as CSV (RFC 4180): a row for each user and group, and one for the total. A byte order mark, so that Excel reads UTF-8.
 */
export function formatUsageCsv({ users, groups, total }: AdminUsage): string {
  const rows = [
    ...users.map((user) => ['user', user.email, user.id, user.groups.join(' '), ...listNumbers(user)]),
    ...groups.map((group) => ['group', group.name, '', '', ...listNumbers(group)]),
    ['total', '', '', '', ...listNumbers(total)],
  ]
  return byteOrderMark + formatCsv([columns, ...rows])
}

const listNumbers = (usage: AdminUsage['total']): string[] =>
  [
    usage.replies,
    usage.inputTokens,
    usage.cachedInputTokens,
    usage.outputTokens,
    usage.images,
    usage.webSearches ?? 0,
    usage.cost,
    usage.unpricedTokens ?? 0,
    usage.scheduled?.replies ?? 0,
    usage.scheduled?.tokens ?? 0,
    usage.scheduled?.cost,
  ].map((number) => (number === undefined ? '' : String(number)))
