import { t } from '@lingui/core/macro'
import { truncate } from '#shared/truncate.ts'
import { formatCount } from '../../../lib/text/locale.ts'
import clsx from 'clsx'
import { Check, Copy, Download } from 'lucide-react'
import type { TableResult } from '#shared/table-result.ts'
import { Button } from '../../../components/ui/button.tsx'
import { useCopy } from '../../../components/ui/use-copy.ts'
import { ScrollRegion } from '../../../components/scroll-region.tsx'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { describeSources, nameSources } from './describe-sources.ts'
import { formatColumn, formatColumnName, type ColumnFormat } from './format-cells.ts'
import { formatTable } from '../markdown/format-table.ts'
import { useTableRows } from './use-table-rows.ts'
import { formatShownRows } from './format-shown-rows.ts'
import { Card } from '../../../components/ui/card.tsx'

/** A longer text is broken into several lines. */
const maxLineCharacters = 48
/** A longer text is truncated. */
const maxCellCharacters = 1_000

/** The result of a query as a table, with its sources, and buttons to copy it, to download it as CSV and to show more rows. */
export function QueryTable({ result }: { result: TableResult }) {
  const { columns, total, sources } = result
  const { rows, loaded, activity, note, saveCsv, showMore, moreCount, isLimited } = useTableRows(result)
  const name = revealHiddenCharacters(nameSources(sources)) || t`Result`
  const source = revealHiddenCharacters(describeSources(sources))
  const formats = columns.map((column, index) =>
    formatColumn(
      column,
      loaded.map((row) => row[index]),
    ),
  )
  return (
    <Card
      as="figure"
      aria-label={t`Table: ${name}`}
      // a border, because the header’s background would cover a hairline
      className="min-w-0 overflow-hidden border border-line [--hairline:transparent]"
    >
      <TableHeader
        name={name}
        columns={columns}
        rows={loaded}
        isSaving={activity === 'csv'}
        onSave={saveCsv}
      />
      <ScrollRegion
        label={t`Table: ${name}`}
        className="-outline-offset-2 [--scroll-surface:var(--color-surface-raised)]"
      >
        <ResultRows columns={columns} rows={rows} formats={formats} />
      </ScrollRegion>
      <figcaption className="flex min-h-11 flex-wrap items-center gap-x-3 border-t border-line py-1 ps-4 pe-1.5 text-sm text-ink-faint">
        <span>{formatShownRows(rows.length, total)}</span>
        <span dir="auto" className="min-w-0 flex-1 truncate max-sm:order-last max-sm:basis-full">
          {source === name ? '' : source}
        </span>
        {showMore && moreCount > 0 && (
          <Button
            size="compact"
            variant="ghost"
            className="ms-auto print:hidden"
            busy={activity === 'rows'}
            onClick={showMore}
          >
            {t`Show ${{ count: formatCount(moreCount) }} more`}
          </Button>
        )}
        <span role="status" className={note === '' && !isLimited ? 'sr-only' : 'basis-full pe-2.5 pb-1.5'}>
          {note ||
            (isLimited ? t`More than ${{ shown: formatCount(rows.length) }} rows are in the CSV.` : '')}
        </span>
      </figcaption>
    </Card>
  )
}

/** The name of the table, and the buttons to copy its loaded rows and to download it. */
function TableHeader({
  name,
  columns,
  rows,
  isSaving,
  onSave,
}: Pick<TableResult, 'columns' | 'rows'> & { name: string; isSaving: boolean; onSave: () => void }) {
  const { copied, copy } = useCopy()
  const copyTable = () => {
    const { text, html } = formatTable(columns, rows)
    return copy(text, html)
  }
  const CopyIcon = copied ? Check : Copy
  return (
    <div className="flex min-h-11 items-center gap-0.5 py-1 ps-4 pe-1.5">
      <b dir="auto" className="min-w-0 flex-1 truncate font-medium">
        {name}
      </b>
      <Button
        size="compact"
        variant="ghost"
        className="print:hidden"
        aria-label={copied ? t`Copied` : t`Copy table`}
        onClick={() => void copyTable()}
      >
        <CopyIcon aria-hidden size={16} className={copied ? 'text-success' : undefined} />
        {t`Copy`}
      </Button>
      <Button
        size="compact"
        variant="ghost"
        className="print:hidden"
        aria-label={t`Download as CSV`}
        busy={isSaving}
        onClick={onSave}
      >
        <Download aria-hidden size={16} />
        {t`CSV`}
      </Button>
    </div>
  )
}

function ResultRows({
  columns,
  rows,
  formats,
}: Pick<TableResult, 'columns' | 'rows'> & { formats: readonly ColumnFormat[] }) {
  return (
    <table className="w-full border-collapse text-sm">
      <thead>
        <tr className="border-y border-line bg-surface-sunken text-ink-muted">
          {columns.map((column, index) => (
            <th key={index} scope="col" className={getCellClass(formats[index]?.isNumeric, 'font-medium')}>
              <bdi>{revealHiddenCharacters(formatColumnName(column))}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map((row, index) => (
          <tr key={index}>
            {columns.map((_, column) => (
              <Cell key={column} value={row[column] ?? null} format={formats[column]} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const getCellClass = (isNumeric = false, more = '') =>
  clsx('px-3 py-1.5 first:ps-4 last:pe-4', isNumeric ? 'text-end' : 'text-start', more)

/** A cell. A long text is broken into lines or truncated. */
function Cell({ value, format }: { value: string | number | null; format: ColumnFormat | undefined }) {
  const text = format?.format(value) ?? ''
  const isLong = text.length > maxLineCharacters
  return (
    <td
      className={getCellClass(
        format?.isNumeric,
        isLong ? 'min-w-72 max-w-96 align-top wrap-anywhere' : 'whitespace-nowrap align-top',
      )}
    >
      {value === null ? (
        <span aria-label={t`empty`} role="img" className="text-ink-faint">
          –
        </span>
      ) : (
        <bdi>
          {revealHiddenCharacters(
            text.length > maxCellCharacters ? `${truncate(text, maxCellCharacters)}…` : text,
          )}
        </bdi>
      )}
    </td>
  )
}
