import type { ToolCall } from '#shared/contracts/chat.ts'
import { listShownResults } from '#shared/table-result.ts'
import { QueryTable } from './query-table.tsx'

/** The tables that the finished calls of a reply show to the user, in their order. */
export function QueryTableList({ calls }: { calls: readonly ToolCall[] }) {
  return listShownResults(calls).map((result, index) => <QueryTable key={index} result={result} />)
}
