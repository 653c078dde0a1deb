import type { ReplyLog } from '../../conversations/store/reply-log.ts'
import type { RecordTable } from '../../documents/tables/query-contract.ts'
import type { PreparedCall } from './run-tool.ts'

/** A list of objects that a tool returned in the reply. */
export interface ResultTable {
  /** as statements name it */
  name: string
  /** the integration and the tool that it came from, for people */
  source: { integration: string; title: string }
  records: RecordTable
}

export interface ResultTables {
  /** @returns what the model is told of the table in a result; undefined if there is none */
  add(prepared: PreparedCall, data: unknown): Promise<string | undefined>
  list: () => readonly ResultTable[]
}

/** The tables in results of connected tools. They are kept in memory until the invocation ends. */
export function resultTables(events: Pick<ReplyLog, 'reply'>): ResultTables {
  const tables: ResultTable[] = []
  return {
    async add({ call, tool }, data) {
      if (!tool?.integration || typeof data !== 'object' || data === null) return undefined
      // its code is loaded with the first list
      const { describeRecords, nameResult, toRecordTable } = await import('./describe-records.ts')
      const records = toRecordTable(data)
      if (!records) return undefined
      // counts on where the reply has waited, so that no name is used twice
      const number = events.reply.toolCalls.findIndex(({ id }) => id === call.id) + 1
      const name = nameResult(number, tool.name)
      const source = { integration: tool.integration.name, title: tool.title ?? tool.name }
      tables.push({ name, source, records })
      return describeRecords(name, records)
    },
    list: () => tables,
  }
}
