import { toName } from '../../documents/tables/name.ts'
import type { RecordTable } from '../../documents/tables/query-contract.ts'
import { planRecords } from '../../documents/tables/records.ts'

export { toRecordTable } from '../../documents/tables/records.ts'

const maxToolCharacters = 40

/** No table of a file has such a name. @param number of the call in its reply, from 1 */
export const nameResult = (number: number, toolName: string): string =>
  ['result', number, toName(toolName.slice(0, maxToolCharacters), 'list')].join('_')

/** Of the names of columns. */
const maxCharacters = 1_500

/** What the model is told of a list that is a table. */
export function describeRecords(name: string, records: RecordTable): string {
  const listed: string[] = []
  let left = maxCharacters
  const columns = planRecords(records)
  for (const column of columns) {
    const { type, unit } = column.plan
    const text = [column.name, type, ...(unit === '' ? [] : [unit])].join(' ')
    left -= text.length + 2
    if (left < 0) break
    listed.push(text)
  }
  const more = columns.length - listed.length
  return `[Table for query_table, until this reply ends: ${name}, ${records.rows.length} rows; columns: ${listed.join(', ')}${more > 0 ? `, and ${more} more in all_columns` : ''}]`
}
