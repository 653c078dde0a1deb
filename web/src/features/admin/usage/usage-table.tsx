import { t } from '@lingui/core/macro'
import { useId, useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { formatCount } from '../../../lib/text/locale.ts'
import { phoneQuery, useMediaQuery } from '../../../lib/browser/use-media-query.ts'
import {
  columnLabels,
  listColumns,
  sortRows,
  type Sort,
  type Usage,
  type UsageRow,
  formatCell,
  type Column,
  type UsageViewProps,
} from './usage-columns.ts'
import { SelectField } from '../../../components/ui/select-field.tsx'
import clsx from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { Link } from '../../../lib/navigation/router.tsx'

/** The number of rows that are shown at first, so that thousands of users do not make the page slow. */
const initialRowCount = 100

/** A table of usage that its headings sort, or a list on a phone. @param total undefined: no row for it */
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
  const isPhone = useMediaQuery(phoneQuery)
  const id = useId()
  const sortedRows = sortRows(rows, sort)
  const View = isPhone ? UsageList : WideUsageTable
  return (
    <>
      <h3 id={id} className="font-medium">
        {title}
      </h3>
      {hint !== undefined && <p className="text-sm text-ink-muted">{hint}</p>}
      <View
        titleId={id}
        labels={{ name: nameLabel, ...columnLabels }}
        columns={listColumns(rows)}
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

/** The usage on a phone: a row is a list of its numbers. */
function UsageList({ titleId, labels, columns, rows, total, sort, onSort }: UsageViewProps) {
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

/** The usage as a table. Its headings sort it. */
function WideUsageTable({ titleId, labels, columns, rows, total, sort, onSort }: UsageViewProps) {
  const sortDirection = sort.isDescending ? 'descending' : 'ascending'
  return (
    <table aria-labelledby={titleId} className="mt-2 w-full text-sm">
      <thead className="text-ink-muted">
        <tr>
          {(['name', ...columns] as const).map((key) => (
            <SortHead
              key={key}
              label={labels[key]}
              isNumber={key !== 'name'}
              direction={sort.key === key ? sortDirection : undefined}
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

/** The name of a row, as a link to the page of its user. */
const RowName = ({ row: { name, link } }: { row: UsageRow }) =>
  link === undefined ? (
    name
  ) : (
    <Link to={link} className="link" dir="auto">
      {name}
    </Link>
  )
