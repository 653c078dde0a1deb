import type { RouteRequest, RouteResponse } from '#shared/contracts/route-contracts.ts'
import { importRequestBytes } from '../../lib/browser/limits.ts'
import { maxImportedMessagesPerRequest } from '#shared/limits.ts'
import { importTimeoutMs, isFailure, type Attempts } from './import-attempts.ts'
import { ApiError } from '../../lib/api/api-errors.ts'
import { callApi } from '../../lib/api/call-api.ts'
import type { BuiltConversation, FileReference } from './build-conversation.ts'
import { addKnownTurns, pickNewer, hasNewer } from './newer-turns.ts'
import type { SourcedConversation } from './read-export.ts'

type RequestBody = RouteRequest<'imports.add'>
type RequestConversation = RequestBody['conversations'][number]

export interface SendOptions {
  importId: string
  /** ids, in their source, of the conversations that this import has counted: several archives may have the same ones */
  countedIds: Set<string>
  signal: AbortSignal
  attempts: Attempts
  /** uploads a file. @returns its id; undefined if it is left out */
  upload: (file: FileReference) => Promise<string | undefined>
}

/** The service takes no more in one request. */
const maxConversations = 100
const countBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

/**
 * Sends conversations, as many in one request as it takes. Files are uploaded only for messages that are sent. To conversations that were
 * imported before, the messages are added that their source has had since.
 * @param conversations of one source, each once
 * @throws what `callApi` throws
 */
export async function sendConversations(
  conversations: readonly SourcedConversation[],
  options: SendOptions,
): Promise<SentCounts> {
  const outcomes = createOutcomes(
    conversations.map(({ conversation }) => conversation),
    options.countedIds,
  )
  const [first] = conversations
  if (!first) return outcomes.countAll()
  const send = createSender(first.source, outcomes, options)

  // 1. begin those with files, without messages: the answer says which exist, whose files are not uploaded
  const withFiles = conversations.filter(({ conversation }) =>
    conversation.messages.some(({ files }) => files.length > 0),
  )
  await send(withFiles.map(({ conversation }) => ({ ...conversation, messages: [], complete: false })))
  // 2. files and messages of the others
  const parts: RequestConversation[] = []
  for (const { conversation } of conversations)
    if (!outcomes.isSettled(conversation.source_id))
      parts.push(...(await splitIntoParts(conversation, options.upload)))
  await send(parts)
  // 3. newer messages of those that exist
  const additions: RequestConversation[] = []
  for (const { conversation, until } of outcomes.reopenExtendable())
    for (const part of await splitIntoParts(pickNewer(conversation, until), options.upload))
      additions.push(addKnownTurns(part, conversation))
  await send(additions)
  return outcomes.countAll()
}

/** Creates the function that sends parts of conversations, in as few requests as possible. */
function createSender(source: RequestBody['source'], outcomes: Outcomes, options: SendOptions) {
  /** One request; if the service rejects it or fails, one for each conversation, so that one of them does not hold up the others. */
  async function sendBatch(parts: readonly RequestConversation[]): Promise<void> {
    const sent = parts.filter(({ source_id: id }) => !outcomes.isSettled(id))
    if (sent.length === 0) return
    const body = { import_id: options.importId, source, conversations: sent }
    try {
      const response = await options.attempts.callWithRetries(() =>
        callApi('imports.add', { body }, { signal: options.signal, timeoutMs: importTimeoutMs }),
      )
      for (const result of response.conversations) outcomes.record(result)
    } catch (error) {
      const isRejected = error instanceof ApiError && [400, 413].includes(error.status)
      // no other conversation has room either
      if (isRejected && error.code === 'storage_full') throw error
      if (!isRejected && !(sent.length > 1 ? isFailure(error) : options.attempts.tolerateFailure(error)))
        throw error
      if (sent.length > 1) for (const part of sent) await sendBatch([part])
      else for (const { source_id: id } of sent) outcomes.giveUp(id, isRejected ? 'rejected' : 'failed')
    }
  }
  return async (parts: readonly RequestConversation[]): Promise<void> => {
    for (const batch of batchParts(parts)) await sendBatch(batch)
  }
}

/** A conversation in parts that fit into a request each. */
async function splitIntoParts(
  conversation: BuiltConversation,
  upload: SendOptions['upload'],
): Promise<RequestConversation[]> {
  const groups: RequestConversation['messages'][] = [[]]
  let bytes = 0
  for (const { files, ...fields } of conversation.messages) {
    const ids: string[] = []
    for (const file of files) {
      const id = await upload(file)
      if (id !== undefined) ids.push(id)
    }
    const message = { ...fields, ...(ids.length > 0 && { attachment_ids: ids }) }
    const size = countBytes(message)
    const last = groups.at(-1)
    if (
      last &&
      last.length < maxImportedMessagesPerRequest &&
      (bytes + size <= importRequestBytes || last.length === 0)
    ) {
      last.push(message)
      bytes += size
    } else {
      groups.push([message])
      bytes = size
    }
  }
  const isBegun = conversation.messages.some(({ files }) => files.length > 0)
  return groups.map((messages, index) => ({
    ...conversation,
    messages,
    complete: index === groups.length - 1,
    ...((isBegun || index > 0) && { continues: true }),
  }))
}

/** Parts of several conversations for one request each. Parts of one conversation follow each other in different requests. */
function* batchParts(parts: readonly RequestConversation[]): Generator<RequestConversation[]> {
  let batch: RequestConversation[] = []
  let bytes = 0
  let messages = 0
  for (const part of parts) {
    const size = countBytes(part)
    const isFull =
      batch.length === maxConversations ||
      bytes + size > importRequestBytes ||
      messages + part.messages.length > maxImportedMessagesPerRequest ||
      batch.some(({ source_id: id }) => id === part.source_id)
    if (isFull && batch.length > 0) {
      yield batch
      batch = []
      bytes = 0
      messages = 0
    }
    batch.push(part)
    bytes += size
    messages += part.messages.length
  }
  if (batch.length > 0) yield batch
}

type Result = RouteResponse<'imports.add'>['conversations'][number]

interface SentCounts {
  /** that were stored */
  imported: number
  /** that were here, and got messages */
  extended: number
  /** that were here, and stay as they are */
  existing: number
  /** that the service does not take */
  rejected: number
  /** at which the service failed */
  failed: number
  /** a reply is written in them now */
  busy: number
  messages: number
  /** messages for whose versions there was no room */
  unplaced: number
}

/** A conversation that is here already, but without the newer messages of its source. */
interface ExtendableConversation {
  conversation: BuiltConversation
  /** the time of its last message that is here */
  until: string
  /** what has become of its newer messages */
  state: 'existing' | 'extended' | 'busy' | 'rejected' | 'failed'
}

/** What the service has done so far with the conversations that are being sent. */
type Outcomes = ReturnType<typeof createOutcomes>

/**
 * Collects what becomes of conversations.
 * @param countedIds ids, in their source, of the conversations that this import has counted; those that are recorded are added
 */
function createOutcomes(conversations: readonly BuiltConversation[], countedIds: Set<string>) {
  const counts: SentCounts = {
    imported: 0,
    extended: 0,
    existing: 0,
    rejected: 0,
    failed: 0,
    busy: 0,
    messages: 0,
    unplaced: 0,
  }
  const settledIds = new Set<string>()
  const bySourceId = new Map(conversations.map((conversation) => [conversation.source_id, conversation]))
  const extendable = new Map<string, ExtendableConversation>()

  return {
    /** Whether nothing more is sent of a conversation. */
    isSettled: (id: string) => settledIds.has(id),

    /** Records the service's result for one conversation. */
    record({ source_id: id, state, until, added = 0, unplaced = 0 }: Result): void {
      const conversation = bySourceId.get(id)
      const extendableConversation = extendable.get(id)
      counts.unplaced += unplaced
      if (state === 'extended') {
        counts.messages += added
        if (extendableConversation && added > 0) extendableConversation.state = state
        return
      }
      if (state === 'open') return
      settledIds.add(id)
      if (extendableConversation) {
        if (state === 'busy') extendableConversation.state = state
        return
      }
      if (state === 'existing' && conversation && until !== undefined && hasNewer(conversation, until))
        extendable.set(id, { conversation, until, state })
      // archives that were chosen together may have the same one
      else if (!countedIds.has(id)) {
        counts[state] += 1
        if (state === 'imported') counts.messages += conversation?.messages.length ?? 0
      }
      countedIds.add(id)
    },

    /** Records that a conversation was not stored: the service rejects it, or failed at it. */
    giveUp(id: string, reason: 'rejected' | 'failed'): void {
      const extendableConversation = extendable.get(id)
      if (extendableConversation) extendableConversation.state = reason
      else counts[reason] += 1
      settledIds.add(id)
    },

    /** Lets the newer messages of those that exist be sent. */
    reopenExtendable(): ExtendableConversation[] {
      for (const id of extendable.keys()) settledIds.delete(id)
      return [...extendable.values()]
    },

    /** @returns the counts at the end; a conversation that exists counts once, by what became of its newer messages */
    countAll(): SentCounts {
      const all = { ...counts }
      for (const { state } of extendable.values()) all[state] += 1
      return all
    },
  }
}
