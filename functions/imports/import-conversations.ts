import type { ImportedConversation, importResponse } from '#shared/contracts/imports.ts'
import type * as z from 'zod'
import { waitForAll } from '../platform/wait-for-all.ts'
import { deleteConversation } from '../conversations/delete-conversation.ts'
import { claimFinishedRun } from '../conversations/store/claim-finished-run.ts'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'
import { ConversationNotFound, RunChanged, RunInProgress } from '../conversations/store/errors.ts'
import { extendConversation } from './extend-conversation.ts'
import type { ImportReference, ImportRepository } from './import-repository.ts'
import { deriveUuid, storeMessages, type ImportDeps } from './store-messages.ts'

type ImportResult = z.output<typeof importResponse>['conversations'][number]
type ImportState = Omit<ImportResult, 'source_id'>

/** Attempts when imports of the same conversation collide. */
const maxAttempts = 3

/** Conversations of a request that are stored concurrently. */
const conversationsAtOnce = 8

/**
 * The start of a conversation's id, the same in each import of it. The end counts those that were deleted, because the id of a deleted
 * conversation cannot be used again while its tombstone exists.
 */
const idPrefix = (...names: readonly string[]) => `${deriveUuid(...names).slice(0, 23)}-`
const formatId = (prefix: string, deletions: number) => prefix + String(deletions).padStart(12, '0')

/** Stores conversations of an export, or parts of them. @returns the state of each, in their order */
export async function importConversations(
  deps: ImportDeps,
  reference: ImportReference & { sub: string },
  conversations: readonly ImportedConversation[],
): Promise<ImportResult[]> {
  const states: ImportResult[] = []
  for (let at = 0; at < conversations.length; at += conversationsAtOnce)
    states.push(
      ...(await waitForAll(
        conversations.slice(at, at + conversationsAtOnce).map(async (conversation) => ({
          source_id: conversation.source_id,
          ...(await importConversation(deps, reference, boundTimes(conversation, Date.now()))),
        })),
      )),
    )
  return states
}

/** No time of an export is later than its import: those of a wrong clock would keep the conversation on top of the list. */
function boundTimes(conversation: ImportedConversation, nowMs: number): ImportedConversation {
  const bound = (time: string) => (Date.parse(time) > nowMs ? new Date(nowMs).toISOString() : time)
  return {
    ...conversation,
    created_at: bound(conversation.created_at),
    updated_at: bound(conversation.updated_at),
    messages: conversation.messages.map((one) => ({ ...one, created_at: bound(one.created_at) })),
  }
}

/**
 * Stores a conversation of an export, or a part of it; can be repeated. Until it is complete its row has no count, so that it is not listed.
 * @throws StorageFull
 */
async function importConversation(
  deps: ImportDeps,
  { sub, ...reference }: ImportReference & { sub: string },
  conversation: ImportedConversation,
): Promise<ImportState> {
  const { imports, stores } = deps
  const prefix = idPrefix(sub, reference.source, conversation.source_id)
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const known = await imports.findByPrefix(sub, prefix)
    const current = known.find(({ isDeleted }) => !isDeleted)
    const isOwn = current?.import_id === reference.importId
    if (current && !current.import_open)
      return await updateExisting(deps, sub, current, { isOwn, conversation })
    // it was deleted meanwhile
    if (conversation.known_turns) return { state: 'existing' }
    // another tab imports it at the same time, or has taken it over
    if (!isOwn && (conversation.continues || (current && attempt > 1))) return { state: 'existing' }
    // the export is of this account, and what it has is still here
    if (reference.source === 'juno' && !current && (await isStored(stores, sub, conversation.source_id)))
      return { state: 'existing' }
    // left by an import that did not finish; its messages may differ from these
    if (current && !isOwn) await deleteConversation(stores, { sub, sessionId: current.id })
    const usedIds = new Set(known.map(({ id }) => id))
    let deletions = 0
    while (usedIds.has(formatId(prefix, deletions))) deletions += 1
    const id = isOwn && current ? current.id : formatId(prefix, deletions)
    if (!(await imports.open(sub, id, reference, pickFields(conversation)))) continue
    await stores.texts.reserveText(sub, id, Buffer.byteLength(JSON.stringify(conversation)))
    await storeMessages(deps, { sub, sessionId: id }, conversation)
    if (!conversation.complete) return { state: 'open' }
    await claimRun(stores, { sub, sessionId: id }, conversation)
    const { importId } = reference
    const { message_count: messageCount } = conversation
    const until = new Date(conversation.updated_at).toISOString()
    if (await imports.close(sub, id, { importId, messageCount, until })) return { state: 'imported' }
    // it was deleted meanwhile, which may not have seen all of this part
    await deleteConversation(stores, { sub, sessionId: id })
  }
  return { state: 'existing' }
}

const pickFields = ({
  title,
  created_at,
  updated_at,
  archived,
  pinned,
  project_id,
}: ImportedConversation) => ({ title, created_at, updated_at, archived, pinned, project_id })

async function isStored({ conversations }: ConversationStores, sub: string, id: string): Promise<boolean> {
  const found = await conversations.find(sub, id)
  return found !== undefined && found !== 'deleted'
}

/** What becomes of a conversation that is there: it stays, or gets the turns that its source has had since. */
async function updateExisting(
  deps: ImportDeps,
  sub: string,
  { id, import_until: recorded }: Awaited<ReturnType<ImportRepository['findByPrefix']>>[number],
  { isOwn, conversation }: { isOwn: boolean; conversation: ImportedConversation },
): Promise<ImportState> {
  const until = recorded ?? (await findNewestTime(deps.stores, sub, id))
  if (!conversation.known_turns) {
    const isNewer = Date.parse(conversation.updated_at) > Date.parse(until)
    if (isNewer) return { state: 'existing', until }
    return { state: isOwn ? 'imported' : 'existing' }
  }
  try {
    return await extendConversation(deps, { sub, sessionId: id, until }, conversation)
  } catch (error) {
    if (error instanceof RunInProgress) return { state: 'busy' }
    if (error instanceof ConversationNotFound) return { state: 'existing' }
    throw error
  }
}

/** Of the imported messages of a conversation that an earlier release has stored. */
async function findNewestTime({ messages }: ConversationStores, sub: string, id: string): Promise<string> {
  const times = (await messages.loadTimes(sub, id)).flatMap((one) => (one.imported ? [one.created_at] : []))
  return times.reduce((newest, time) => (time > newest ? time : newest), new Date(0).toISOString())
}

async function claimRun(
  stores: ConversationStores,
  { sub, sessionId }: { sub: string; sessionId: string },
  { turns, forks, head }: ImportedConversation,
): Promise<void> {
  if (await stores.runs.find(sub, sessionId)) return
  const branches = forks?.length
    ? {
        forks: forks.map(({ turn, version_of: versionOf }) => ({ turn, versionOf })),
        ...(head !== undefined && head !== turns && { head }),
      }
    : undefined
  try {
    await claimFinishedRun(stores, {
      sub,
      sessionId,
      runId: deriveUuid(sessionId),
      turn: turns,
      messageId: deriveUuid(sessionId, turns, 'user'),
      replyId: deriveUuid(sessionId, turns, 'reply'),
      ...(branches && { branches }),
    })
  } catch (error) {
    // a repeat of this request was faster
    if (!(error instanceof RunChanged)) throw error
  }
}
