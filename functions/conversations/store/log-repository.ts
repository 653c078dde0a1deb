import * as z from 'zod'
import type { ChatEvent } from '#shared/chat-events.ts'
import { deleteByPrefix } from '../../platform/dynamodb/delete-rows.ts'
import { chunkBytes } from '../../platform/limits.ts'
import { queryAll } from '../../platform/dynamodb/query.ts'
import { putRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import type { LogPart } from './reply-log.ts'
import { runRowsTtlSeconds, type Run } from './run.ts'

type RunIds = Pick<Run, 'sub' | 'sessionId' | 'runId'>

const partition = (sub: string) => `U#${sub}`
const prefix = ({ sessionId, runId }: Pick<Run, 'sessionId' | 'runId'>) => `LOG#${sessionId}#${runId}#`
const sortKey = (run: RunIds, position: number) => prefix(run) + String(position).padStart(9, '0')

/** The stored form: text as [from, text id, text], reasoning with its kind appended, another event as [from, event]. */
const storedParts = z.array(
  z.union([
    z.tuple([z.number(), z.string(), z.string()]),
    z.tuple([z.number(), z.string(), z.string(), z.literal('reasoning')]),
    z.tuple([z.number(), z.custom<ChatEvent>((value) => typeof value === 'object' && value !== null)]),
  ]),
)

function packPart(part: LogPart) {
  if ('event' in part) return [part.from, part.event]
  return [part.from, part.textId, part.text, ...(part.kind ? [part.kind] : [])]
}

const packParts = (parts: readonly LogPart[]) => JSON.stringify(parts.map(packPart))

function unpackParts(stored: unknown): LogPart[] {
  return storedParts.parse(JSON.parse(String(stored))).map((part): LogPart => {
    if (part.length === 2) return { from: part[0], to: part[0] + 1, event: part[1] }
    const [from, textId, text, kind] = part
    return { from, to: from + text.length, textId, text, ...(kind && { kind }) }
  })
}

/** Text of one part of a row; a character takes up to six bytes of it. */
const sliceCharacters = 32_000

/** Cuts text that one row could not hold. */
function sliceText(part: LogPart): LogPart[] {
  if ('event' in part) return [part]
  const slices: LogPart[] = []
  for (let offset = 0; offset < part.text.length; offset += sliceCharacters) {
    const text = part.text.slice(offset, offset + sliceCharacters)
    slices.push({ ...part, from: part.from + offset, to: part.from + offset + text.length, text })
  }
  return slices
}

/** The arguments of a call follow as a whole, so their deltas are not stored. */
const isStored = (part: LogPart) => !('text' in part && part.kind === 'tool-input')

/**
 * Splits parts into rows, in order. An event that is too large for a row is left out: the stored reply contains it, and later checkpoints
 * must not fail.
 */
function splitIntoRows(parts: readonly LogPart[]): LogPart[][] {
  const rows: LogPart[][] = []
  let bytes = chunkBytes
  for (const part of parts.filter(isStored).flatMap(sliceText)) {
    const partBytes = Buffer.byteLength(packParts([part]))
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
  return {
    /** A checkpoint takes as many rows as its size needs. A repeat has the same parts: a follower may have read the rows of the first attempt. */
    async append(run: RunIds, parts: readonly LogPart[]): Promise<void> {
      for (const row of splitIntoRows(parts)) {
        const [first] = row
        if (!first) continue
        await putRow(table, {
          PK: partition(run.sub),
          SK: sortKey(run, first.from),
          parts: packParts(row),
          ttl: Math.floor(Date.now() / 1000) + runRowsTtlSeconds,
        })
      }
    },

    /** The parts stored from a position on, in order. @param from where a checkpoint begins */
    async read(run: RunIds, from: number): Promise<LogPart[]> {
      const after = from > 0 ? sortKey(run, from - 1) : undefined
      const rows = await queryAll(table, { partition: partition(run.sub), prefix: prefix(run), after })
      return rows.flatMap((row) => unpackParts(row['parts']))
    },

    /** Deletes the checkpoints of one run; can be repeated. */
    deleteRun: (run: RunIds) => deleteByPrefix(table, partition(run.sub), prefix(run)),

    /** Deletes the checkpoints of a conversation, whichever run wrote them; can be repeated. */
    deleteConversation: ({ sub, sessionId }: Pick<Run, 'sub' | 'sessionId'>) =>
      deleteByPrefix(table, partition(sub), `LOG#${sessionId}#`),
  }
}

export type LogRepository = ReturnType<typeof logRepository>
