import { t } from '@lingui/core/macro'
import { CopyableTable } from '../markdown/copyable-table.tsx'
import { formatCount } from '../../../lib/locale.ts'
import { revealHiddenCharacters } from '../../../lib/hidden-characters.ts'
import type { ResultTableData } from './result-table-data.ts'
import { formatValue } from '../calls/tool-summary.ts'

/** More rows would slow the page down. */
const maxShownRows = 200

/** The structured result of a tool as a table that can be copied; only its first rows if there are many. */
export function ResultTable({
  table: { columns, rows },
  totalRows = rows.length,
}: {
  table: ResultTableData
  /** how many rows the tool returned, of which the conversation may have stored only some */
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
        <p className="text-ink-muted">{t`${{ shown: formatCount(shownRows.length) }} of ${{ total: formatCount(totalRows) }} rows`}</p>
      )}
    </div>
  )
}
