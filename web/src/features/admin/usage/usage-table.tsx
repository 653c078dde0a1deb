import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import type { AdminUsage } from '#shared/contracts/admin.ts'
import { formatCost } from '../../../components/format-cost.ts'
import { formatCount } from '../../../lib/locale.ts'
import { Button } from '../../../components/ui/button.tsx'
import { useMediaQuery } from '../../../lib/use-media-query.ts'
import { SelectField } from '../../../components/ui/select-field.tsx'

const unknown = '–'

type Usage = AdminUsage['total']
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
type Column = (typeof columns)[number]
const rareColumns: readonly Column[] = ['scheduled', 'images', 'webSearches', 'cost']
type SortKey = 'name' | Column
interface Sort {
  key: SortKey
  isDescending: boolean
}

const columnLabels: Record<Column, string> = {
  replies: t`Replies`,
  inputTokens: t`Input`,
  outputTokens: t`Output`,
  scheduled: t`Scheduled`,
  images: t`Images`,
  webSearches: t`Web searches`,
  cost: t`Cost`,
}

/** The number in a cell. That of `scheduled` is its tokens, which the columns of input and output include. */
const getNumber = (usage: Usage, column: Column): number | undefined =>
  column === 'scheduled'
    ? (usage.scheduled?.tokens ?? 0)
    : (usage[column] ?? (column === 'webSearches' ? 0 : undefined))

const formatCell = (usage: Usage, column: Column) => {
  const value = getNumber(usage, column)
  if (value === undefined) return unknown
  return column === 'cost' ? formatCost(value) : formatCount(value)
}

const compare = (a: UsageRow, b: UsageRow, key: SortKey) =>
  key === 'name' ? a.name.localeCompare(b.name) : (getNumber(a, key) ?? -1) - (getNumber(b, key) ?? -1)

/** The number of rows that are shown at first. */
const initialRowCount = 100

/** Usage line by line, sortable; a list on a phone. */
export function UsageTable({
  title,
  hint,
  nameLabel,
  rows,
  total,
}: {
  title: string
  hint?: string
  nameLabel: string
  rows: readonly UsageRow[]
  total?: Usage
}) {
  const [sort, setSort] = useState<Sort>({ key: 'inputTokens', isDescending: true })
  const [showsAll, setShowsAll] = useState(false)
  const isPhone = useMediaQuery('(max-width: 39.99rem)')
  const id = useId()
  const visibleColumns = columns.filter(
    (column) => !rareColumns.includes(column) || rows.some((row) => (getNumber(row, column) ?? 0) > 0),
  )
  const sortedRows = rows.toSorted((a, b) => compare(a, b, sort.key) * (sort.isDescending ? -1 : 1))
  const View = isPhone ? UsageList : WideTable
  return (
    <>
      <h3 id={id} className="font-medium">
        {title}
      </h3>
      {hint !== undefined && <p className="text-sm text-ink-muted">{hint}</p>}
      <View
        titleId={id}
        labels={{ name: nameLabel, ...columnLabels }}
        columns={visibleColumns}
        rows={showsAll ? sortedRows : sortedRows.slice(0, initialRowCount)}
        total={total}
        sort={sort}
        // columns of numbers are first sorted from the largest
        onSort={(key) =>
          setSort({ key, isDescending: sort.key === key ? !sort.isDescending : key !== 'name' })
        }
      />
      {!showsAll && rows.length > initialRowCount && (
        <Button className="mt-3" onClick={() => setShowsAll(true)}>
          {t`Show all ${{ count: formatCount(rows.length) }}`}
        </Button>
      )}
    </>
  )
}

interface ViewProps {
  titleId: string
  labels: Readonly<Record<SortKey, string>>
  columns: readonly Column[]
  rows: readonly UsageRow[]
  total: Usage | undefined
  sort: Sort
  onSort: (key: SortKey) => void
}

function WideTable({ titleId, labels, columns, rows, total, sort, onSort }: ViewProps) {
  return (
    <table aria-labelledby={titleId} className="mt-2 w-full text-sm">
      <thead className="text-ink-muted">
        <tr>
          {(['name', ...columns] as const).map((key) => (
            <SortHead
              key={key}
              label={labels[key]}
              isNumber={key !== 'name'}
              direction={sort.key !== key ? undefined : sort.isDescending ? 'descending' : 'ascending'}
              onSort={() => onSort(key)}
            />
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row" className="py-2 pe-4 text-start font-normal wrap-anywhere">
              <RowName row={row} />
            </th>
            {columns.map((column) => (
              <NumberCell key={column}>{formatCell(row, column)}</NumberCell>
            ))}
          </tr>
        ))}
      </tbody>
      {total && (
        <tfoot className="border-t border-line-strong font-medium">
          <tr>
            <th scope="row" className="py-2 pe-4 text-start font-medium">
              {t`Total`}
            </th>
            {columns.map((column) => (
              <NumberCell key={column}>{formatCell(total, column)}</NumberCell>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  )
}

function UsageList({ titleId, labels, columns, rows, total, sort, onSort }: ViewProps) {
  return (
    <div className="mt-3">
      {rows.length > 1 && (
        <SelectField
          label={t`Sort by`}
          value={sort.key}
          options={(['name', ...columns] as const).map((value) => ({ value, label: labels[value] }))}
          onChange={onSort}
        />
      )}
      <ul aria-labelledby={titleId} className="*:not-first:border-t">
        {rows.map((row) => (
          <li key={row.key} className="border-line py-3">
            <p className="font-medium wrap-anywhere">
              <RowName row={row} />
            </p>
            <Numbers usage={row} columns={columns} />
          </li>
        ))}
        {total && (
          <li className="border-line-strong py-3">
            <p className="font-medium">{t`Total`}</p>
            <Numbers usage={total} columns={columns} />
          </li>
        )}
      </ul>
    </div>
  )
}

const RowName = ({ row: { name, link } }: { row: UsageRow }) =>
  link === undefined ? (
    name
  ) : (
    <Link to={link} className="link" dir="auto">
      {name}
    </Link>
  )

function Numbers({ usage, columns }: { usage: Usage; columns: readonly Column[] }) {
  return (
    <dl className="mt-1 grid grid-cols-[1fr_auto] gap-x-6 gap-y-0.5 text-sm">
      {columns.map((column) => (
        <div key={column} className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-ink-muted">{columnLabels[column]}</dt>
          <dd className="text-end">{formatCell(usage, column)}</dd>
        </div>
      ))}
    </dl>
  )
}

function SortHead({
  label,
  isNumber,
  direction,
  onSort,
}: {
  label: string
  isNumber: boolean
  direction: 'ascending' | 'descending' | undefined
  onSort: () => void
}) {
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={direction}
      className={clsx('py-1 font-normal whitespace-nowrap', isNumber ? 'ps-3 text-end' : 'pe-4 text-start')}
    >
      <button
        type="button"
        onClick={onSort}
        className={clsx(
          'inline-flex h-8 items-center gap-1 rounded-sm px-1.5 hover:bg-surface-hover hover:text-ink',
          isNumber ? '-me-1.5 flex-row-reverse' : '-ms-1.5',
          direction !== undefined && 'font-medium text-ink',
        )}
      >
        {label}
        <Arrow aria-hidden size={12} className={clsx(direction === undefined && 'invisible')} />
      </button>
    </th>
  )
}

const NumberCell = ({ children }: { children: string }) => (
  <td className="py-2 ps-3 text-end whitespace-nowrap">{children}</td>
)
