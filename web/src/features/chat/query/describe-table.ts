import { t } from '@lingui/core/macro'
import type { TableResult } from '#shared/table-result.ts'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { describeSources, nameSources } from './describe-sources.ts'
import { formatColumn, formatColumnName } from './format-cells.ts'
import { formatShownRows } from './format-shown-rows.ts'

/** A result of a query as the texts that a document has of it. */
export interface DescribedTable {
  columns: readonly { name: string; isNumeric: boolean }[]
  /** the stored rows, with a cell for each column */
  rows: readonly (readonly string[])[]
  /** its name, how many rows of it there are, and where they come from */
  caption: string
}

/** Describes a result of a query for a document, which shows all rows that are stored, with the names and numbers of the page. */
export function describeTable({ columns, rows, total, sources }: TableResult): DescribedTable {
  const formats = columns.map((name, index) =>
    formatColumn(
      name,
      rows.map((row) => row[index]),
    ),
  )
  const name = nameSources(sources) || t`Result`
  const source = describeSources(sources)
  return {
    columns: columns.map((column, index) => ({
      name: revealHiddenCharacters(formatColumnName(column)),
      isNumeric: formats[index]?.isNumeric === true,
    })),
    rows: rows.map((row) =>
      formats.map(({ format }, index) => revealHiddenCharacters(format(row[index] ?? null))),
    ),
    caption: [name, formatShownRows(rows.length, total), ...(source === name ? [] : [source])]
      .filter((part) => part !== '')
      .map(revealHiddenCharacters)
      .join(' · '),
  }
}
