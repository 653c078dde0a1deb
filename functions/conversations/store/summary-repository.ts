import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { Path } from './branches.ts'
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
export const summaryRepository = ({ client, name: TableName }: Table) => ({
  /** @returns undefined if there is none of the branch */
  async find(sub: string, sessionId: string, path: Path): Promise<ConversationSummary | undefined> {
    const { Item } = await client.send(new GetCommand({ TableName, Key: key(sub, sessionId) }))
    const found = row.safeParse(Item)
    if (!found.success || found.data.path !== formatPath(path, found.data.upToTurn)) return undefined
    const { text, upToTurn } = found.data
    return { text, upToTurn }
  },

  async save(sub: string, sessionId: string, path: Path, { text, upToTurn }: ConversationSummary) {
    const fields = { text, upToTurn, path: formatPath(path, upToTurn) }
    await client.send(new PutCommand({ TableName, Item: { ...key(sub, sessionId), ...fields } }))
  },

  async remove(sub: string, sessionId: string) {
    await client.send(new DeleteCommand({ TableName, Key: key(sub, sessionId) }))
  },
})

export type SummaryRepository = ReturnType<typeof summaryRepository>
