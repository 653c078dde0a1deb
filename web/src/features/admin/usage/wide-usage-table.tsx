import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { formatCell, type UsageViewProps } from './usage-columns.ts'
import { RowName } from './usage-row-name.tsx'

/** The usage as a table. Its headings sort it. */
export function WideUsageTable({ titleId, labels, columns, rows, total, sort, onSort }: UsageViewProps) {
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
