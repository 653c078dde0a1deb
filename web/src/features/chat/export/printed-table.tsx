import clsx from 'clsx'
import type { TableResult } from '#shared/table-result.ts'
import { describeTable } from '../query/describe-table.ts'

/** The result of a query as it is printed: all rows that are stored, in cells that wrap. */
export function PrintedTable({ result }: { result: TableResult }) {
  const { columns, rows, caption } = describeTable(result)
  const getClass = (column: number) => clsx(columns[column]?.isNumeric && 'text-end')
  return (
    <figure className="prose" dir="auto">
      <table>
        <thead>
          <tr>
            {columns.map(({ name }, index) => (
              <th key={index} scope="col" className={getClass(index)}>
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((text, column) => (
                <td key={column} className={getClass(column)}>
                  <bdi>{text}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <figcaption className="text-sm text-ink-muted">{caption}</figcaption>
    </figure>
  )
}
