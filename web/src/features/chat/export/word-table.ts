import { AlignmentType, Paragraph, ShadingType, Table, TableCell, TableRow, WidthType } from 'docx'
import type { TableResult } from '#shared/table-result.ts'
import { describeTable } from '../query/describe-table.ts'
import { colors } from './word-styles.ts'
import { isRightToLeft, writeText } from './word-text.ts'

/** Builds a table as wide as the text. @param rows the paragraphs of each cell; the first row is the header, and repeated on each page */
export function buildTable(
  rows: readonly (readonly (readonly Paragraph[])[])[],
  { isMirrored }: { isMirrored: boolean },
): Table {
  return new Table({
    rows: rows.map(
      (cells, index) =>
        new TableRow({
          tableHeader: index === 0,
          cantSplit: true,
          children: cells.map(
            (children) =>
              new TableCell({
                children,
                margins: { top: 60, bottom: 60, left: 100, right: 100 },
                ...(index === 0 && { shading: { type: ShadingType.CLEAR, fill: colors.header } }),
              }),
          ),
        }),
    ),
    width: { size: 100, type: WidthType.PERCENTAGE },
    visuallyRightToLeft: isMirrored,
  })
}

/** Writes the result of a query: a table of all rows that are stored, and the line below it, which says what they are a part of. */
export function writeResultTable(result: TableResult): { table: Table; caption: string } {
  const { columns, rows, caption } = describeTable(result)
  const names = columns.map(({ name }) => name)
  const table = buildTable(
    [names, ...rows].map((row, index) =>
      row.map((text, column) => [
        new Paragraph({
          spacing: { after: 0 },
          ...(columns[column]?.isNumeric && { alignment: AlignmentType.END }),
          ...(isRightToLeft(text) && { bidirectional: true }),
          children: writeText(text, index === 0 ? { bold: true } : {}),
        }),
      ]),
    ),
    { isMirrored: isRightToLeft(names.join(' ')) },
  )
  return { table, caption }
}
