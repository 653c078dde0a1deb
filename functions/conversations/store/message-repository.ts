import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { message as messageSchema } from '#shared/contracts/messages.ts'
import { countsAsMessage } from '#shared/message-content.ts'
import { allTurns, hasTurn, type Path } from './branches.ts'
import { deleteByPrefix } from '../../platform/dynamodb/delete-rows.ts'
import { writeBatches } from '../../platform/dynamodb/write-batches.ts'
import { responseBytes } from '../../platform/limits.ts'
import { queryAll, queryPage, queryPages } from '../../platform/dynamodb/query.ts'
import { deleteRow, readRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import {
  getStoredRow,
  isConditionFailed,
  returnStoredRow,
  wasRetried,
} from '../../platform/dynamodb/update-row.ts'
import type { Run } from './run.ts'
import {
  type StoredMessage,
  formatCursor,
  fromRow,
  hasContent,
  joinStops,
  parseKey,
  messagePrefix,
  sortKey,
  toMessageItem,
  toReadMessage,
  turnPrefix,
} from './message-row.ts'

/** A message without its content. */
interface MessageOutline {
  id: string
  turn: number
  fileIds: string[]
}

/**
 * Where to continue reading backwards, skipping turns that the branch does not have.
 * @param start sort key that the rows come before; undefined: from the end
 * @returns the same; null if the branch has nothing before it
 */
function skipHidden(sessionId: string, path: Path, start: string | undefined): string | undefined | null {
  const turn = start === undefined ? Infinity : parseKey({ SK: start }).turn
  if (hasTurn(path, turn)) return start
  const below = path.find(({ last }) => last < turn)
  return below ? turnPrefix(sessionId, below.last + 1) : null
}

/** Reads and writes messages, one row per message. */
export const messageRepository = (table: Table) => {
  const { client, name: TableName } = table

  const deleteIf = (
    sub: string,
    { session_id, turn, kind }: Pick<StoredMessage, 'session_id' | 'turn' | 'kind'>,
    condition: string,
    values: Record<':run', string | number>,
  ): Promise<void> =>
    deleteRow(
      table,
      { PK: `U#${sub}`, SK: sortKey(session_id, turn, kind) },
      { ConditionExpression: condition, ExpressionAttributeValues: values },
    )

  /** @returns the id of the run that stored the message of this kind; undefined if there is none, or it is unknown */
  async function findRunId(
    sub: string,
    { session_id, turn, kind }: Pick<StoredMessage, 'session_id' | 'turn' | 'kind'>,
  ): Promise<string | undefined> {
    const row = await readRow(table, { PK: `U#${sub}`, SK: sortKey(session_id, turn, kind) })
    return row?.['run_id'] as string | undefined
  }

  /** @param after sort key that the rows come before */
  const loadPageBefore = (
    sub: string,
    sessionId: string,
    range: { after?: string | undefined; limit?: number | undefined },
  ) =>
    queryPage(table, { partition: `U#${sub}`, prefix: messagePrefix(sessionId), newestFirst: true, ...range })

  return {
    /**
     * Stores a message of its turn, unless a newer run has stored one of its kind.
     * @param runStartedAtMs orders the runs: a late write of an older one never overwrites what a newer one has stored
     * @returns how many messages of real content the conversation gained: 1, 0, or -1; undefined when that is not known
     */
    async put(sub: string, message: StoredMessage, runStartedAtMs: number): Promise<number | undefined> {
      try {
        const stored = await client.send(
          new PutCommand({
            TableName,
            Item: { ...toMessageItem(sub, message), run_at: runStartedAtMs },
            ConditionExpression: 'attribute_not_exists(run_at) OR run_at <= :run',
            ExpressionAttributeValues: { ':run': runStartedAtMs },
            ReturnValues: 'ALL_OLD',
          }),
        )
        if (wasRetried(stored)) return undefined
        const before = stored.Attributes
        const counted = before ? Number(countsAsMessage(String(before['content']))) : 0
        return Number(countsAsMessage(message.content)) - counted
      } catch (error) {
        if (isConditionFailed(error)) return 0
        throw error
      }
    },

    /**
     * Stores the user's message of a new turn, unless another run has stored one.
     * @param run whose message it is; it may not have claimed the conversation yet
     * @param overwrittenRunId the id of a run that did not get the claim: its message is overwritten
     * @returns false when the message of another run is there
     */
    async add(
      sub: string,
      message: StoredMessage,
      run: { runId: string; startedAtMs: number },
      overwrittenRunId?: string,
    ): Promise<boolean> {
      try {
        await client.send(
          new PutCommand({
            TableName,
            Item: { ...toMessageItem(sub, message), run_at: run.startedAtMs, run_id: run.runId },
            ConditionExpression:
              overwrittenRunId === undefined
                ? 'attribute_not_exists(PK)'
                : 'attribute_not_exists(PK) OR run_id = :over',
            ...returnStoredRow,
            ...(overwrittenRunId !== undefined && {
              ExpressionAttributeValues: { ':over': overwrittenRunId },
            }),
          }),
        )
        return true
      } catch (error) {
        if (!isConditionFailed(error)) throw error
        // the client repeats a write whose response was lost, and then finds its own message
        return wasRetried(error) && getStoredRow(error)?.['run_id'] === run.runId
      }
    },

    findRunId,

    /** Deletes a message that was stored by a run without a claim; can be repeated. */
    async deleteUnclaimed(sub: string, message: StoredMessage, runId: string): Promise<void> {
      await deleteIf(sub, message, 'run_id = :run', { ':run': runId })
    },

    /** Deletes what a run stored, unless a newer one has stored its own message there. */
    async deleteOwn(
      sub: string,
      { session_id, turn, kind }: Pick<StoredMessage, 'session_id' | 'turn' | 'kind'>,
      runStartedAtMs: number,
    ): Promise<void> {
      await deleteIf(sub, { session_id, turn, kind }, 'run_at = :run', { ':run': runStartedAtMs })
    },

    /**
     * Deletes the messages of a turn that was to replace another one, unless its run was repeated since.
     * @param run as it was read, after its end
     */
    async deleteAttempt({
      sub,
      sessionId,
      turn,
      startedAtMs,
    }: Pick<Run, 'sub' | 'sessionId' | 'turn' | 'startedAtMs'>): Promise<void> {
      // its recovery stores one millisecond later
      const last = { ':run': startedAtMs + 1 }
      for (const kind of ['user', 'reply', 'stop'] as const)
        await deleteIf(
          sub,
          { session_id: sessionId, turn, kind },
          'attribute_not_exists(run_at) OR run_at <= :run',
          last,
        )
    },

    /** The messages of one turn, in order; reads these alone. */
    async loadTurn(sub: string, sessionId: string, turn: number): Promise<StoredMessage[]> {
      const rows = await queryAll(table, { partition: `U#${sub}`, prefix: turnPrefix(sessionId, turn) })
      return joinStops(rows.map(fromRow))
    },

    /**
     * The first page that `loadNewest` reads, for callers that learn the shown branch in the same round trip.
     * @param maxMessages a page of no more rows
     */
    loadNewestRows: (sub: string, sessionId: string, { maxMessages }: { maxMessages?: number } = {}) =>
      loadPageBefore(sub, sessionId, { limit: maxMessages }),

    /**
     * The newest messages of a branch before a cursor, oldest first.
     * @param path turns of the branch
     * @param before cursor of an earlier page
     * @param maxCharacters stops reading once this much text was read (a message is never cut)
     * @param maxBytes the same for the size of the messages in a response
     * @param through id of a message up to which everything is read: the limits count from this message backwards
     * @param maxMessages at most this many, in one request if their size allows it and all belong to the branch
     * @param firstPage from `loadNewestRows`, if it was read already
     * @returns `earlier`: the cursor for the page before, or null
     */
    async loadNewest(
      sub: string,
      sessionId: string,
      {
        path = allTurns,
        before,
        maxCharacters = Infinity,
        maxBytes = Infinity,
        maxMessages = Infinity,
        through,
        firstPage,
      }: {
        path?: Path
        before?: string | undefined
        maxCharacters?: number
        maxBytes?: number
        maxMessages?: number
        through?: string | undefined
        firstPage?: Awaited<ReturnType<typeof loadPageBefore>>
      } = {},
    ): Promise<{ messages: StoredMessage[]; earlier: string | null }> {
      const messages: StoredMessage[] = []
      let characters = 0
      let bytes = 0
      let counted = 0
      let isCounting = through === undefined
      const from = before === undefined ? undefined : messagePrefix(sessionId) + before
      let start = skipHidden(sessionId, path, from)
      for (let page = firstPage; start !== null && counted < maxMessages; page = undefined) {
        page ??= await loadPageBefore(sub, sessionId, {
          after: start,
          limit: isCounting ? maxMessages : undefined,
        })
        for (const item of page.rows) {
          if (!hasTurn(path, parseKey(item).turn)) continue
          const message = fromRow(item)
          isCounting ||= message.id === through
          // a line after a stop and its reply are one message
          if (isCounting && message.kind !== 'stop') {
            characters += message.content.length
            bytes += responseBytes(toReadMessage(message))
            const isFull = characters > maxCharacters || bytes > maxBytes
            if ((isFull && counted > 0) || counted === maxMessages) {
              messages.reverse()
              return { messages: joinStops(messages), earlier: firstCursor(messages) }
            }
            counted += 1
          }
          messages.push(message)
        }
        start = page.next === undefined ? null : skipHidden(sessionId, path, page.next)
      }
      messages.reverse()
      return { messages: joinStops(messages), earlier: start === null ? null : firstCursor(messages) }
    },

    /** The text of every message of a branch, oldest first. */
    async loadContents(sub: string, sessionId: string, path: Path = allTurns): Promise<string[]> {
      const items = await queryAll(table, {
        partition: `U#${sub}`,
        prefix: messagePrefix(sessionId),
        projection: 'SK, content',
      })
      return items.filter((item) => hasTurn(path, parseKey(item).turn)).map(({ content }) => String(content))
    },

    /** The turn of a message, whichever branch it is in; undefined when the conversation has no such message. */
    async findTurn(sub: string, sessionId: string, messageId: string): Promise<number | undefined> {
      const pages = queryPages(table, {
        partition: `U#${sub}`,
        prefix: messagePrefix(sessionId),
        projection: 'SK, id',
      })
      for await (const page of pages) {
        const found = page.find(({ id }) => id === messageId)
        if (found) return parseKey(found).turn
      }
      return undefined
    },

    /**
     * Messages after a cursor, oldest first, one page of the table.
     * @returns `last`: cursor of the last one here; `next`: the same if more may follow, or null
     */
    async loadAfter(
      sub: string,
      sessionId: string,
      after?: string,
    ): Promise<{ messages: StoredMessage[]; last: string | null; next: string | null }> {
      const { rows, next } = await queryPage(table, {
        partition: `U#${sub}`,
        prefix: messagePrefix(sessionId),
        after: after === undefined ? undefined : messagePrefix(sessionId) + after,
      })
      const messages = rows.map(fromRow)
      const last = firstCursor(messages.slice(-1))
      return { messages: joinStops(messages, after), last, next: next === undefined ? null : last }
    },

    /** Whether a turn has the assistant's own words, more than the line after a stop. */
    async hasReply(sub: string, sessionId: string, turn: number): Promise<boolean> {
      const row = await readRow(table, { PK: `U#${sub}`, SK: sortKey(sessionId, turn, 'reply') })
      return row !== undefined && hasContent(fromRow(row))
    },

    /** The reply that an earlier run of the same turn has stored. */
    async findEarlierReply(
      sub: string,
      sessionId: string,
      { turn, startedAtMs }: { turn: number; startedAtMs: number },
    ): Promise<StoredMessage | undefined> {
      const row = await readRow(table, { PK: `U#${sub}`, SK: sortKey(sessionId, turn, 'reply') })
      return row && Number(row['run_at']) < startedAtMs ? fromRow(row) : undefined
    },

    /** Stores messages of a conversation that nobody writes to yet. */
    putAll: (sub: string, messages: readonly StoredMessage[]): Promise<void> =>
      writeBatches(
        table,
        messages.map((message) => ({ PutRequest: { Item: toMessageItem(sub, message) } })),
      ),

    /** Each message of all branches with the ids of its files, oldest first. */
    async loadOutline(sub: string, sessionId: string): Promise<MessageOutline[]> {
      const items = await queryAll(table, {
        partition: `U#${sub}`,
        prefix: messagePrefix(sessionId),
        projection: 'SK, id, attachments',
      })
      return items.map((item) => ({
        id: String(item['id']),
        turn: parseKey(item).turn,
        fileIds: messageSchema.shape.attachments.parse(item['attachments']).map(({ id }) => id),
      }))
    },

    /** When each message of all branches was written, its text, and whether it is of an import; oldest turn first. */
    async loadTimes(sub: string, sessionId: string) {
      const items = await queryAll(table, {
        partition: `U#${sub}`,
        prefix: messagePrefix(sessionId),
        projection: 'SK, created_at, imported, content',
      })
      return items.map((item) => ({
        ...parseKey(item),
        created_at: String(item['created_at']),
        content: String(item['content']),
        imported: item['imported'] === true,
      }))
    },

    /** Deletes the messages of one turn; can be repeated. */
    deleteTurn: (sub: string, sessionId: string, turn: number) =>
      deleteByPrefix(table, `U#${sub}`, turnPrefix(sessionId, turn)),

    /** Deletes every message of the conversation; can be repeated. */
    deleteAll: (sub: string, sessionId: string) =>
      deleteByPrefix(table, `U#${sub}`, messagePrefix(sessionId)),
  }
}

const firstCursor = ([first]: readonly StoredMessage[]) => (first ? formatCursor(first) : null)

export type MessageRepository = ReturnType<typeof messageRepository>
