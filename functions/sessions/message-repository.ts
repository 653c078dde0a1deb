import { DeleteCommand, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { message as messageSchema, type Message, type Rating } from '#shared/contracts/sessions.ts'
import { isRealContent } from '#shared/message-content.ts'
import { deleteRows } from '../platform/delete-rows.ts'
import { pageBytes, responseBytes } from '../platform/limits.ts'
import { pagesOf, rowsOf } from '../platform/rows.ts'
import type { Table } from '../platform/table.ts'
import { wasRepeated } from '../platform/was-repeated.ts'
import { isRefused } from '../platform/refused.ts'
import { updateIf } from '../platform/update-row.ts'

/** Places of a turn, in the order they are read: the user's message, the reply, and the line after a stop. */
const places = { user: '1', reply: '2', stop: '3' } as const
type Place = keyof typeof places
const placeOf = { '1': 'user', '2': 'reply', '3': 'stop' } as const satisfies Record<string, Place>

/** A message with its place in the conversation; the server numbers the turns (DEC-107). */
export interface PlacedMessage extends Message {
  turn: number
  place: Place
}

/** The message as callers know it. */
export const withoutPlace = (placed: PlacedMessage): Message => messageSchema.parse(placed)

const ratingSchema = messageSchema.shape.rating

const prefix = (sessionId: string) => `M#${sessionId}#`
const turnPrefix = (sessionId: string, turn: number) =>
  `${prefix(sessionId)}${String(turn).padStart(6, '0')}#`
const sortKey = (sessionId: string, turn: number, place: Place) => turnPrefix(sessionId, turn) + places[place]

/** @throws Error when the row's key is not one of ours */
function fromRow(item: Record<string, unknown>): PlacedMessage {
  const found = /#(\d{6})#([123])$/.exec(String(item['SK']))
  if (!found) throw new Error('a message row has a key of another form')
  return {
    ...messageSchema.parse(item),
    turn: Number(found[1]),
    place: placeOf[found[2] as keyof typeof placeOf],
  }
}

export const messageRepository = (table: Table) => {
  const { client, name: TableName } = table

  async function deleteIf(
    sub: string,
    { session_id, turn, place }: Pick<PlacedMessage, 'session_id' | 'turn' | 'place'>,
    condition: string,
    run: string | number,
  ): Promise<void> {
    try {
      await client.send(
        new DeleteCommand({
          TableName,
          Key: { PK: `U#${sub}`, SK: sortKey(session_id, turn, place) },
          ConditionExpression: condition,
          ExpressionAttributeValues: { ':run': run },
        }),
      )
    } catch (error) {
      if (!isRefused(error)) throw error
    }
  }

  /** @returns the id of the run that added the message at this place; undefined where there is none, or nobody knows */
  async function findWriter(
    sub: string,
    { session_id, turn, place }: Pick<PlacedMessage, 'session_id' | 'turn' | 'place'>,
  ): Promise<string | undefined> {
    const { Item } = await client.send(
      new GetCommand({
        TableName,
        Key: { PK: `U#${sub}`, SK: sortKey(session_id, turn, place) },
        ConsistentRead: true,
      }),
    )
    return Item?.['run_id'] as string | undefined
  }

  /** @returns false when another message, or none, is at the place of this one */
  const rate = (
    sub: string,
    { id, session_id, turn, place }: PlacedMessage,
    rating: Rating | null,
  ): Promise<boolean> =>
    updateIf(
      table,
      { PK: `U#${sub}`, SK: sortKey(session_id, turn, place) },
      {
        update: rating === null ? 'REMOVE #rating' : 'SET #rating = :rating',
        condition: '#id = :id',
        values: { ':id': id, ...(rating !== null && { ':rating': rating }) },
      },
    )

  return {
    rate,

    /**
     * Stores a message at its place; one that a newer run has put there already is left alone.
     * @param runStartedAtMs orders the writers of a reply: a late one never overwrites a newer one
     * @returns how many messages of real content the conversation gained: 1, 0, or -1; undefined when that is not known
     */
    async put(sub: string, message: PlacedMessage, runStartedAtMs: number): Promise<number | undefined> {
      const { turn, place, ...fields } = message
      try {
        const stored = await client.send(
          new PutCommand({
            TableName,
            Item: {
              PK: `U#${sub}`,
              SK: sortKey(message.session_id, turn, place),
              ...fields,
              run_at: runStartedAtMs,
            },
            ConditionExpression: 'attribute_not_exists(run_at) OR run_at <= :run',
            ExpressionAttributeValues: { ':run': runStartedAtMs },
            ReturnValues: 'ALL_OLD',
          }),
        )
        // a reply that goes on keeps what the user thinks of it
        const before = stored.Attributes
        const rating = before?.['id'] === message.id ? ratingSchema.parse(before['rating']) : undefined
        if (rating) await rate(sub, message, rating)
        if (wasRepeated(stored)) return undefined
        const counted = before ? Number(isRealContent(String(before['content']))) : 0
        return Number(isRealContent(message.content)) - counted
      } catch (error) {
        if (isRefused(error)) return 0
        throw error
      }
    },

    /**
     * Stores the user's message of a new turn, where no other writer has stored one.
     * @param run whose message it is; it may not have claimed the conversation yet
     * @param over the id of a run that did not get the claim: its message is overwritten
     * @returns false when the message of another run is there
     */
    async add(
      sub: string,
      message: PlacedMessage,
      run: { runId: string; startedAtMs: number },
      over?: string,
    ): Promise<boolean> {
      const { turn, place, ...fields } = message
      const Key = { PK: `U#${sub}`, SK: sortKey(message.session_id, turn, place) }
      try {
        await client.send(
          new PutCommand({
            TableName,
            Item: { ...Key, ...fields, run_at: run.startedAtMs, run_id: run.runId },
            ConditionExpression:
              over === undefined ? 'attribute_not_exists(PK)' : 'attribute_not_exists(PK) OR run_id = :over',
            ...(over !== undefined && { ExpressionAttributeValues: { ':over': over } }),
          }),
        )
        return true
      } catch (error) {
        if (!isRefused(error)) throw error
        // the client repeats a write whose answer was lost, and then its own message is in the way
        return wasRepeated(error) && (await findWriter(sub, message)) === run.runId
      }
    },

    findWriter,

    /** Takes back a message that was added by a run without a claim; can be repeated. */
    async takeBackAdded(sub: string, message: PlacedMessage, runId: string): Promise<void> {
      await deleteIf(sub, message, 'run_id = :run', runId)
    },

    /** Takes back what a run wrote, unless a newer one has put its own message there. */
    async takeBack(
      sub: string,
      { session_id, turn, place }: Pick<PlacedMessage, 'session_id' | 'turn' | 'place'>,
      runStartedAtMs: number,
    ): Promise<void> {
      await deleteIf(sub, { session_id, turn, place }, 'run_at = :run', runStartedAtMs)
    },

    /** The messages of one turn, in order; reads these alone. */
    async turn(sub: string, sessionId: string, turn: number): Promise<PlacedMessage[]> {
      const rows = await rowsOf(table, { partition: `U#${sub}`, prefix: turnPrefix(sessionId, turn) })
      return rows.map(fromRow)
    },

    /**
     * The newest messages before a cursor, oldest first.
     * @param before cursor of an earlier page
     * @param maxCharacters stops reading once this much text was read (a message is never cut)
     * @param maxBytes the same for what the messages take in an answer
     * @param maxMessages at most so many, in one request where their size allows it
     * @returns `earlier`: the cursor for the page before, or null
     */
    async newest(
      sub: string,
      sessionId: string,
      {
        before,
        maxCharacters = Infinity,
        maxBytes = pageBytes,
        maxMessages = Infinity,
      }: {
        before?: string | undefined
        maxCharacters?: number
        maxBytes?: number
        maxMessages?: number
      } = {},
    ): Promise<{ messages: PlacedMessage[]; earlier: string | null }> {
      const messages: PlacedMessage[] = []
      let characters = 0
      let bytes = 0
      let start = before ? { PK: `U#${sub}`, SK: prefix(sessionId) + before } : undefined
      do {
        const page = await client.send(
          new QueryCommand({
            TableName,
            KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
            ExpressionAttributeValues: { ':pk': `U#${sub}`, ':prefix': prefix(sessionId) },
            ScanIndexForward: false,
            ConsistentRead: true,
            // a read costs what it reads, not what is used of it
            ...(maxMessages < Infinity && { Limit: maxMessages }),
            ...(start && { ExclusiveStartKey: start }),
          }),
        )
        for (const item of page.Items ?? []) {
          const message = fromRow(item)
          characters += message.content.length
          bytes += responseBytes(withoutPlace(message))
          const isFull = characters > maxCharacters || bytes > maxBytes
          if ((isFull && messages.length > 0) || messages.length === maxMessages) {
            return { messages: messages.reverse(), earlier: firstCursor(messages) }
          }
          messages.push(message)
        }
        start = page.LastEvaluatedKey as typeof start
      } while (start && messages.length < maxMessages)
      messages.reverse()
      return { messages, earlier: start ? firstCursor(messages) : null }
    },

    /** The text of every message, oldest first. */
    async contents(sub: string, sessionId: string): Promise<string[]> {
      const items = await rowsOf(table, {
        partition: `U#${sub}`,
        prefix: prefix(sessionId),
        projection: 'content',
      })
      return items.map(({ content }) => String(content))
    },

    /**
     * Messages after a cursor, oldest first, a page of the table at a time.
     * @returns `last`: cursor of the last one here; `next`: the same where more may follow, or null
     */
    async following(
      sub: string,
      sessionId: string,
      after?: string,
    ): Promise<{ messages: PlacedMessage[]; last: string | null; next: string | null }> {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
          ExpressionAttributeValues: { ':pk': `U#${sub}`, ':prefix': prefix(sessionId) },
          ConsistentRead: true,
          ...(after !== undefined && {
            ExclusiveStartKey: { PK: `U#${sub}`, SK: prefix(sessionId) + after },
          }),
        }),
      )
      const messages = Items.map(fromRow)
      const last = firstCursor(messages.slice(-1))
      return { messages, last, next: LastEvaluatedKey ? last : null }
    },

    /** Whether a turn has the assistant's own words, more than the line after a stop. */
    async hasReply(sub: string, sessionId: string, turn: number): Promise<boolean> {
      const { Item } = await client.send(
        new GetCommand({
          TableName,
          Key: { PK: `U#${sub}`, SK: sortKey(sessionId, turn, 'reply') },
          ProjectionExpression: 'PK',
          ConsistentRead: true,
        }),
      )
      return Item !== undefined
    },

    /** The reply that an earlier run of the same turn has stored. */
    async earlierReply(
      sub: string,
      sessionId: string,
      { turn, startedAtMs }: { turn: number; startedAtMs: number },
    ): Promise<PlacedMessage | undefined> {
      const { Item } = await client.send(
        new GetCommand({
          TableName,
          Key: { PK: `U#${sub}`, SK: sortKey(sessionId, turn, 'reply') },
          ConsistentRead: true,
        }),
      )
      return Item && Number(Item['run_at']) < startedAtMs ? fromRow(Item) : undefined
    },

    /**
     * Deletes the messages of some turns, the newest first, so that what a fault leaves is a conversation that ends early.
     * @param turns from the first to the last one, both included
     * @returns how many messages of real content are gone
     */
    async removeTurns(
      sub: string,
      sessionId: string,
      { first, last }: { first: number; last: number },
    ): Promise<number> {
      let gone = 0
      for (;;) {
        const { Items = [] } = await client.send(
          new QueryCommand({
            TableName,
            KeyConditionExpression: 'PK = :pk AND SK BETWEEN :first AND :last',
            ExpressionAttributeValues: {
              ':pk': `U#${sub}`,
              ':first': sortKey(sessionId, first, 'user'),
              ':last': sortKey(sessionId, last, 'stop'),
            },
            ProjectionExpression: 'PK, SK, content',
            ScanIndexForward: false,
            ConsistentRead: true,
            Limit: 25,
          }),
        )
        if (Items.length === 0) return gone
        await deleteRows(table, Items)
        gone += Items.filter(({ content }) => isRealContent(String(content))).length
      }
    },

    /** Deletes every message of the conversation; can be repeated. */
    async clear(sub: string, sessionId: string): Promise<void> {
      const keys = { partition: `U#${sub}`, prefix: prefix(sessionId), projection: 'PK, SK' }
      for await (const page of pagesOf(table, keys)) await deleteRows(table, page)
    },
  }
}

/** Where the messages before this one, or after it, are asked for. */
export const cursorOf = ({ turn, place }: Pick<PlacedMessage, 'turn' | 'place'>) =>
  `${String(turn).padStart(6, '0')}#${places[place]}`

const firstCursor = ([first]: readonly PlacedMessage[]) => (first ? cursorOf(first) : null)

export type MessageRepository = ReturnType<typeof messageRepository>
