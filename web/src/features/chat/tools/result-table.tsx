import { t } from '@lingui/core/macro'
import { CopyableTable } from '../markdown/copyable-table.tsx'
import { revealHiddenCharacters } from '../../../lib/hidden-characters.ts'
import type { ResultTableData } from './result-table-data.ts'
import { formatValue } from '../calls/tool-summary.ts'

/** More rows would slow the page down. */
const maxShownRows = 200

/** Structured data as a table that can be copied. */
export function ResultTable({
  table: { columns, rows },
  totalRows = rows.length,
}: {
  table: ResultTableData
  totalRows?: number | undefined
}) {
  const shownRows = rows.slice(0, maxShownRows)
  return (
    <div className="prose [--scroll-surface:var(--color-surface-raised)]">
      <CopyableTable>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {revealHiddenCharacters(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shownRows.map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column}>
                  {revealHiddenCharacters(formatValue(Object.hasOwn(row, column) ? row[column] : ''))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </CopyableTable>
      {shownRows.length < totalRows && (
        <p className="text-ink-muted">{t`${{ shown: shownRows.length }} of ${{ total: totalRows }} rows`}</p>
      )}
    </div>
  )
}
