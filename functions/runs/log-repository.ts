import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { ChatEvent } from '#shared/chat-events.ts'
import { deleteRows } from '../platform/dynamodb/delete-rows.ts'
import { chunkBytes } from '../platform/limits.ts'
import { queryPages } from '../platform/dynamodb/query.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import type { LogPart } from './reply-log.ts'
import type { Run } from './run.ts'

type Identity = Pick<Run, 'sub' | 'sessionId' | 'runId'>

/** What a crash leaves behind goes away by itself. */
const keptSeconds = 86_400

const partition = (sub: string) => `U#${sub}`
const prefix = ({ sessionId, runId }: Pick<Run, 'sessionId' | 'runId'>) => `LOG#${sessionId}#${runId}#`
const sortKey = (run: Identity, position: number) => prefix(run) + String(position).padStart(9, '0')

/** Stored short: text as [from, text id, text], another event as [from, event]. */
const storedParts = z.array(
  z.union([
    z.tuple([z.number(), z.string(), z.string()]),
    z.tuple([z.number(), z.custom<ChatEvent>((value) => typeof value === 'object' && value !== null)]),
  ]),
)

const pack = (parts: readonly LogPart[]) =>
  JSON.stringify(
    parts.map((part) => ('event' in part ? [part.from, part.event] : [part.from, part.textId, part.text])),
  )

function unpack(stored: unknown): LogPart[] {
  return storedParts.parse(JSON.parse(String(stored))).map((part): LogPart => {
    if (part.length === 2) return { from: part[0], to: part[0] + 1, event: part[1] }
    return { from: part[0], to: part[0] + part[2].length, textId: part[1], text: part[2] }
  })
}

/** Text of one part of a row; a character takes up to six bytes of it. */
const sliceCharacters = 32_000

/** Cuts text that one row could not hold. */
function sliceText(part: LogPart): LogPart[] {
  if ('event' in part) return [part]
  const slices: LogPart[] = []
  for (let at = 0; at < part.text.length; at += sliceCharacters) {
    const text = part.text.slice(at, at + sliceCharacters)
    slices.push({ ...part, from: part.from + at, to: part.from + at + text.length, text })
  }
  return slices
}

/**
 * Divides parts among rows, in order. An event that no row can hold is left out: the stored reply tells of it, and checkpoints after it must
 * not fail because of it.
 */
function divide(parts: readonly LogPart[]): LogPart[][] {
  const rows: LogPart[][] = []
  let bytes = chunkBytes
  for (const part of parts.flatMap(sliceText)) {
    const partBytes = Buffer.byteLength(pack([part]))
    if (partBytes > chunkBytes) continue
    bytes += partBytes
    if (bytes > chunkBytes) {
      rows.push([])
      bytes = partBytes
    }
    rows.at(-1)?.push(part)
  }
  return rows
}

/** Checkpoints of a reply while it is written: appended, never changed, deleted when the reply itself is stored. */
export const logRepository = (table: Table) => {
  const { client, name: TableName } = table

  async function remove(sub: string, keys: string): Promise<void> {
    const rows = queryPages(table, { partition: partition(sub), prefix: keys, projection: 'PK, SK' })
    for await (const page of rows) await deleteRows(table, page)
  }

  return {
    /** A checkpoint takes as many rows as its size needs; a repeat overwrites those of the try before. */
    async append(run: Identity, parts: readonly LogPart[]): Promise<void> {
      for (const row of divide(parts)) {
        const [first] = row
        if (!first) continue
        await client.send(
          new PutCommand({
            TableName,
            Item: {
              PK: partition(run.sub),
              SK: sortKey(run, first.from),
              parts: pack(row),
              ttl: Math.floor(Date.now() / 1000) + keptSeconds,
            },
          }),
        )
      }
    },

    /** The parts stored from a position on, in order. @param from where a checkpoint begins */
    async read(run: Identity, from: number): Promise<LogPart[]> {
      const parts: LogPart[] = []
      let start: Record<string, unknown> | undefined
      do {
        const { Items = [], LastEvaluatedKey } = await client.send(
          new QueryCommand({
            TableName,
            KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :to',
            ExpressionAttributeValues: {
              ':pk': partition(run.sub),
              ':from': sortKey(run, from),
              ':to': `${prefix(run)}~`,
            },
            ConsistentRead: true,
            ...(start && { ExclusiveStartKey: start }),
          }),
        )
        parts.push(...Items.flatMap((item) => unpack(item['parts'])))
        start = LastEvaluatedKey
      } while (start)
      return parts
    },

    /** Deletes the checkpoints of one run; can be repeated. */
    clear: (run: Identity) => remove(run.sub, prefix(run)),

    /** Deletes the checkpoints of a conversation, whichever run wrote them; can be repeated. */
    clearAll: ({ sub, sessionId }: Pick<Run, 'sub' | 'sessionId'>) => remove(sub, `LOG#${sessionId}#`),
  }
}

export type LogRepository = ReturnType<typeof logRepository>
