import { plural, t } from '@lingui/core/macro'
import type { DataCounts } from '#shared/contracts/account.ts'
import { formatList } from '../lib/text/locale.ts'

/** Formats the count of each kind of stored data: `3 conversations`. The order is the one of lists. */
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
} satisfies Record<keyof DataCounts, (count: number) => string>

const kinds = Object.keys(storedItemFormatters) as (keyof DataCounts)[]

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
