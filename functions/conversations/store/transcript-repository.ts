import * as z from 'zod'
import { deleteByPrefix } from '../../platform/dynamodb/delete-rows.ts'
import { packChunks, unpackChunks } from '../../platform/dynamodb/packed-chunks.ts'
import { queryAll, queryPage } from '../../platform/dynamodb/query.ts'
import { putRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import type { Run } from './run.ts'

/** The transcript of one turn, by the run that wrote it. */
export interface TurnTranscript {
  turn: number
  runId: string
  /** JSON of the chat's own form; text, because what servers want back has an order of its own, which a map would lose */
  text: string
}

const partition = (sub: string) => `U#${sub}`
const prefix = (sessionId: string) => `TURN#${sessionId}#`
const turnPrefix = (sessionId: string, turn: number) =>
  `${prefix(sessionId)}${String(turn).padStart(6, '0')}#`
const runPrefix = ({ sessionId, turn, runId }: Pick<Run, 'sessionId' | 'turn' | 'runId'>) =>
  `${turnPrefix(sessionId, turn)}${runId}#`

const row = z.object({
  SK: z.string(),
  /** how many rows the transcript has */
  chunks: z.number().int().positive(),
  data: z.instanceof(Uint8Array),
})

const toRows = (run: Pick<Run, 'sub' | 'sessionId' | 'turn' | 'runId'>, chunks: readonly Uint8Array[]) =>
  chunks.map((data, chunk) => ({
    PK: partition(run.sub),
    SK: runPrefix(run) + String(chunk).padStart(3, '0'),
    chunks: chunks.length,
    data,
  }))

/** Puts rows together, whatever their order. Transcripts of which rows are missing are left out. */
async function unpackRows(rows: readonly Record<string, unknown>[]): Promise<TurnTranscript[]> {
  const groups = Map.groupBy(
    rows.flatMap((one) => row.safeParse(one).data ?? []).toSorted((a, b) => (a.SK < b.SK ? -1 : 1)),
    ({ SK }) => SK.slice(0, SK.lastIndexOf('#')),
  )
  const unpacked = [...groups].map(async ([key, chunks]): Promise<TurnTranscript[]> => {
    const [turn, runId] = key.split('#').slice(-2)
    if (chunks.length !== chunks[0]?.chunks || runId === undefined) return []
    const text = await unpackChunks(chunks.map(({ data }) => data)).catch(() => undefined)
    return typeof text === 'string' ? [{ turn: Number(turn), runId, text }] : []
  })
  return (await Promise.all(unpacked)).flat()
}

/**
 * What the model was given and has given in each turn, in rows beside the messages: read for the next prompt alone, never for a page. The
 * row of the reply names the run whose transcript counts; rows of other runs are left from a crash, and go with the turn.
 */
export const transcriptRepository = (table: Table) => ({
  /** Stores the transcript of a run's turn, before the reply that names it; may be repeated. */
  async save(run: Pick<Run, 'sub' | 'sessionId' | 'turn' | 'runId'>, text: string): Promise<void> {
    for (const item of toRows(run, await packChunks(text))) await putRow(table, item)
  },

  /**
   * The transcripts of the newest turns, of all branches.
   * @param maxCharacters stops reading once there are so many; the last page is read whole
   */
  async loadNewest(sub: string, sessionId: string, maxCharacters: number): Promise<TurnTranscript[]> {
    const rows: Record<string, unknown>[] = []
    let found: TurnTranscript[] = []
    for (let after: string | undefined, isOver = false; !isOver;) {
      const query = { partition: partition(sub), prefix: prefix(sessionId), newestFirst: true, after }
      const page = await queryPage(table, query)
      rows.push(...page.rows)
      after = page.next
      // a transcript that goes on in the next page is complete with it
      found = await unpackRows(rows)
      const characters = found.reduce((sum, { text }) => sum + text.length, 0)
      isOver = after === undefined || characters > maxCharacters
    }
    return found
  },

  /** The rows of one run's transcript, to be copied. */
  async loadRows(run: Pick<Run, 'sub' | 'sessionId' | 'turn' | 'runId'>): Promise<Uint8Array[]> {
    const rows = await queryAll(table, { partition: partition(run.sub), prefix: runPrefix(run) })
    return rows.flatMap((one) => row.safeParse(one).data?.data ?? [])
  },

  /** Stores the rows of a transcript that was copied. */
  async putRows(run: Pick<Run, 'sub' | 'sessionId' | 'turn' | 'runId'>, chunks: readonly Uint8Array[]) {
    for (const item of toRows(run, chunks)) await putRow(table, item)
  },

  /** Deletes what one run has stored; can be repeated. */
  deleteRun: (run: Pick<Run, 'sub' | 'sessionId' | 'turn' | 'runId'>) =>
    deleteByPrefix(table, partition(run.sub), runPrefix(run)),

  /** Deletes the transcripts of one turn; can be repeated. */
  deleteTurn: (sub: string, sessionId: string, turn: number) =>
    deleteByPrefix(table, partition(sub), turnPrefix(sessionId, turn)),

  /** Deletes every transcript of the conversation; can be repeated. */
  deleteAll: (sub: string, sessionId: string) => deleteByPrefix(table, partition(sub), prefix(sessionId)),
})

export type TranscriptRepository = ReturnType<typeof transcriptRepository>
