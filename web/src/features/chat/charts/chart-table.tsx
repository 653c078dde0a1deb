import { plural, t } from '@lingui/core/macro'
import clsx from 'clsx'
import { locale, formatCount } from '../../../lib/text/locale.ts'
import { getOwn } from '#shared/get-own.ts'
import { formatCsv } from '#shared/format-csv.ts'
import { ScrollRegion } from '../../../components/scroll-region.tsx'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { listColumns, type Row, isYear } from './chart-data.ts'

const formatRowTotal = (count: number) => {
  const formattedCount = formatCount(count)
  return plural(count, { one: `${formattedCount} row`, other: `${formattedCount} rows` })
}
const formatShownRows = (shown: number, count: number) => {
  const first = formatCount(shown)
  const all = formatCount(count)
  return plural(count, { one: `${first} of ${all} row`, other: `${first} of ${all} rows` })
}

/** A larger table would slow down the page. “Open as table” shows more of it. */
const maxShownRows = 200
const maxShownColumns = 100

const isEmpty = (value: unknown) => value === null || value === undefined

function formatText(value: unknown): string {
  if (isEmpty(value)) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)
}

/** With all digits that the number has: the default rounds to three. */
const formatNumber = (value: number) => value.toLocaleString(locale, { maximumFractionDigits: 20 })

/** Formats the data of a chart as CSV, with the values that the block has. */
export function formatRowsAsCsv(rows: readonly Row[]): string {
  const columns = listColumns(rows)
  return formatCsv([columns, ...rows.map((row) => columns.map((column) => formatText(getOwn(row, column))))])
}

/** The data of a chart as a table, up to a number of rows and columns. */
export function ChartTable({
  rows,
  title,
  isHidden,
}: {
  rows: readonly Row[]
  title: string
  isHidden: boolean
}) {
  const columns = listColumns(rows).slice(0, maxShownColumns)
  const firstRows = rows.slice(0, maxShownRows)
  const numericColumns = new Set(
    columns.filter((column) => firstRows.some((row) => typeof getOwn(row, column) === 'number')),
  )
  const yearColumns = new Set(
    columns.filter((column) =>
      firstRows.every((row) => isEmpty(getOwn(row, column)) || isYear(getOwn(row, column))),
    ),
  )
  return (
    <div hidden={isHidden}>
      <ScrollRegion
        label={t`Table`}
        className="max-h-96 overflow-y-auto -outline-offset-2 [--scroll-surface:var(--color-surface-raised)]"
      >
        <table dir="auto" translate="no" className="min-w-full text-sm">
          <caption className="sr-only">{title}</caption>
          <thead className="sticky top-0 bg-surface-sunken text-ink-muted">
            <tr>
              {columns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className={clsx(
                    cellClass,
                    'font-medium',
                    numericColumns.has(column) ? 'text-end' : 'text-start',
                  )}
                >
                  {revealHiddenCharacters(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {firstRows.map((row, index) => (
              <tr key={index} className="border-t border-line first:border-t-0">
                {columns.map((column) => {
                  const value = getOwn(row, column)
                  return (
                    <td
                      key={column}
                      className={clsx(cellClass, numericColumns.has(column) ? 'text-end' : 'text-start')}
                    >
                      {revealHiddenCharacters(
                        typeof value === 'number' && !yearColumns.has(column)
                          ? formatNumber(value)
                          : formatText(value),
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p data-not-copied="" className="border-t border-line px-4 py-2.5 text-sm text-ink-faint">
        {rows.length > maxShownRows
          ? formatShownRows(maxShownRows, rows.length)
          : formatRowTotal(rows.length)}
      </p>
    </div>
  )
}

const cellClass = 'max-w-96 px-3 py-1.5 align-top whitespace-pre-wrap first:ps-4 last:pe-4'
