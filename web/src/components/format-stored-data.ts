import { plural, t } from '@lingui/core/macro'
import type { DataCounts } from '#shared/contracts/account.ts'
import { ApiError, getErrorMessage } from '../lib/api-errors.ts'
import { formatLongDate } from '../lib/dates.ts'
import { formatList } from '../lib/locale.ts'

/** Formats the count of each kind of stored data: `3 conversations`. */
export const storedItemFormatters = {
  conversations: (count: number) => plural(count, { one: '# conversation', other: '# conversations' }),
  messages: (count: number) => plural(count, { one: '# message', other: '# messages' }),
  files: (count: number) => plural(count, { one: '# file', other: '# files' }),
  integrations: (count: number) => plural(count, { one: '# integration', other: '# integrations' }),
  credentials: (count: number) => plural(count, { one: '# credential', other: '# credentials' }),
  custom_tools: (count: number) => plural(count, { one: '# custom tool', other: '# custom tools' }),
  tool_calls: (count: number) => plural(count, { one: '# tool call', other: '# tool calls' }),
  memories: (count: number) => plural(count, { one: '# memory', other: '# memories' }),
  projects: (count: number) => plural(count, { one: '# project', other: '# projects' }),
}

const kinds = [
  'conversations',
  'messages',
  'files',
  'integrations',
  'credentials',
  'custom_tools',
  'tool_calls',
  'memories',
  'projects',
] as const satisfies readonly (keyof DataCounts)[]

/** The end of a list of what is deleted: `, 3 conversations, 1 message`; empty if there is nothing. */
export const formatStoredDataSuffix = (counts: DataCounts) =>
  formatCounts(counts)
    .filter(({ count }) => count > 0)
    .map(({ text }) => t`, ${{ item: text }}`)
    .join('')

/** All kinds, also those without items: `3 conversations, 1 message, 0 files, …` */
export const formatStoredData = (counts: DataCounts) =>
  formatList(formatCounts(counts).map(({ text }) => text))

const formatCounts = (counts: DataCounts) =>
  kinds.map((kind) => ({ count: counts[kind], text: storedItemFormatters[kind](counts[kind]) }))

/** How long what was deleted can still be restored. @param endAt ISO 8601 */
export const describeBackups = (endAt: string): string =>
  t`The database's own backups end on ${{ day: formatLongDate(new Date(endAt)) }}. Until then an operator could restore what was in it. Files and credentials have no backup.`

/** Why a deletion failed. The sentence of a refusal says what to do; after anything else a part may be deleted. */
export function describeDeletionFailure(error: unknown): string {
  const isRefused = error instanceof ApiError && error.status < 500
  return isRefused
    ? getErrorMessage(error)
    : t`${{ problem: getErrorMessage(error) }} Try again to delete the rest.`
}
