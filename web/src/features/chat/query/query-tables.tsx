import type { ToolCall } from '#shared/contracts/chat.ts'
import { listShownResults } from '#shared/table-result.ts'
import { QueryTable } from './query-table.tsx'

/** The results of a reply's queries, below its text. */
export function QueryTables({ calls }: { calls: readonly ToolCall[] }) {
  return listShownResults(calls).map((result, index) => <QueryTable key={index} result={result} />)
}
