import * as z from 'zod'
import type { Path } from './branches.ts'
import { deleteRow, readRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { updateIf, updateRow } from '../../platform/dynamodb/update-row.ts'

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

  /** Stores the summary of messages that were read after `sinceMs`, unless one was deleted since. */
  save: (
    sub: string,
    sessionId: string,
    path: Path,
    { text, upToTurn }: ConversationSummary,
    sinceMs: number,
  ) =>
    updateIf(table, key(sub, sessionId), {
      update: 'SET #text = :text, #upToTurn = :upToTurn, #path = :path',
      condition: 'NOT #clearedAtMs >= :since',
      values: {
        ':text': text,
        ':upToTurn': upToTurn,
        ':path': formatPath(path, upToTurn),
        ':since': sinceMs,
      },
    }),

  /** Deletes the summary, and refuses one that is being written, because a message was deleted that it may quote. */
  clear: (sub: string, sessionId: string) =>
    updateRow(table, key(sub, sessionId), {
      update: 'SET #clearedAtMs = :now REMOVE #text, #upToTurn, #path',
      values: { ':now': Date.now() },
    }),

  remove: (sub: string, sessionId: string) => deleteRow(table, key(sub, sessionId)),
})

export type SummaryRepository = ReturnType<typeof summaryRepository>
