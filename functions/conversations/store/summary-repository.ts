import * as z from 'zod'
import type { Path } from './branches.ts'
import { deleteRow, putRow, readRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'

const row = z.object({
  text: z.string(),
  /** the last turn that it covers, from the first one on */
  upToTurn: z.number().int().positive(),
  /** the turns that it covers, as ranges: on another branch it is not valid */
  path: z.string(),
})
export type ConversationSummary = Pick<z.infer<typeof row>, 'text' | 'upToTurn'>

/** A branch up to a turn, to compare branches by. */
const formatPath = (path: Path, upToTurn: number) =>
  path
    .filter(({ first }) => first <= upToTurn)
    .map(({ first, last }) => `${first}-${Math.min(last, upToTurn)}`)
    .join(' ')

const key = (sub: string, sessionId: string) => ({ PK: `U#${sub}`, SK: `SUM#${sessionId}` })

/** Summaries of the messages of long conversations that no longer fit into a prompt: one for each conversation. */
export const summaryRepository = (table: Table) => ({
  /** @returns undefined if there is none of the branch */
  async find(sub: string, sessionId: string, path: Path): Promise<ConversationSummary | undefined> {
    const found = row.safeParse(await readRow(table, key(sub, sessionId)))
    if (!found.success || found.data.path !== formatPath(path, found.data.upToTurn)) return undefined
    const { text, upToTurn } = found.data
    return { text, upToTurn }
  },

  async save(sub: string, sessionId: string, path: Path, { text, upToTurn }: ConversationSummary) {
    await putRow(table, { ...key(sub, sessionId), text, upToTurn, path: formatPath(path, upToTurn) })
  },

  remove: (sub: string, sessionId: string) => deleteRow(table, key(sub, sessionId)),
})

export type SummaryRepository = ReturnType<typeof summaryRepository>
