import { t } from '@lingui/core/macro'
import type { AdminUsage } from '#shared/contracts/admin.ts'
import { formatCost } from '../../../components/format-cost.ts'
import { formatCount } from '../../../lib/text/locale.ts'

/** Shown for a number that is not known. */
const unknownNumber = '–'

/** What one user, a group or all of them used. */
export type Usage = AdminUsage['total']
/** A row of the table. @property link to the page of the user; undefined for a group */
export type UsageRow = Usage & { key: string; name: string; link: string | undefined }

const columns = [
  'replies',
  'inputTokens',
  'outputTokens',
  'scheduled',
  'images',
  'webSearches',
  'cost',
] as const
export type Column = (typeof columns)[number]
/** Columns that are left out if no row has more than 0 in them. */
const rareColumns: readonly Column[] = ['scheduled', 'images', 'webSearches', 'cost']

type SortKey = 'name' | Column

export interface Sort {
  key: SortKey
  isDescending: boolean
}

/** What a view of the usage shows, and how its order is changed. */
export interface UsageViewProps {
  titleId: string
  labels: Readonly<Record<SortKey, string>>
  columns: readonly Column[]
  rows: readonly UsageRow[]
  total: Usage | undefined
  sort: Sort
  onSort: (key: SortKey) => void
}

export const columnLabels: Record<Column, string> = {
  replies: t`Replies`,
  inputTokens: t`Input`,
  outputTokens: t`Output`,
  scheduled: t`Scheduled`,
  images: t`Images`,
  webSearches: t`Web searches`,
  cost: t`Cost`,
}

/** The number in a cell; undefined if it is not known. That of `scheduled` is its tokens, which the columns of input and output include. */
function getNumber(usage: Usage, column: Column): number | undefined {
  if (column === 'scheduled') return usage.scheduled?.tokens ?? 0
  // rows of earlier releases have no searches; without a cost, it is not known
  if (column === 'webSearches') return usage.webSearches ?? 0
  return usage[column]
}

export const formatCell = (usage: Usage, column: Column) => {
  const value = getNumber(usage, column)
  if (value === undefined) return unknownNumber
  return column === 'cost' ? formatCost(value) : formatCount(value)
}

export const listColumns = (rows: readonly UsageRow[]): Column[] =>
  columns.filter(
    (column) => !rareColumns.includes(column) || rows.some((row) => (getNumber(row, column) ?? 0) > 0),
  )

export const sortRows = (rows: readonly UsageRow[], { key, isDescending }: Sort): UsageRow[] =>
  rows.toSorted((a, b) => compare(a, b, key) * (isDescending ? -1 : 1))

const compare = (a: UsageRow, b: UsageRow, key: SortKey) =>
  key === 'name' ? a.name.localeCompare(b.name) : (getNumber(a, key) ?? -1) - (getNumber(b, key) ?? -1)
