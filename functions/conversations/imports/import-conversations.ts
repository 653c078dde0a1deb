import { createHash } from 'node:crypto'
import type { Attachment } from '#shared/contracts/files.ts'
import type { ImportedConversation, importResponse } from '#shared/contracts/imports.ts'
import type * as z from 'zod'
import type { FileRepository } from '../../files/file-repository.ts'
import { waitForAll } from '../../platform/wait-for-all.ts'
import { toAttachment } from '../../files/file-links.ts'
import { deleteConversation } from '../delete-conversation.ts'
import { claimFinishedRun } from '../store/claim-finished-run.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import { RunChanged } from '../store/errors.ts'
import type { StoredMessage } from '../store/message-repository.ts'
import type { ImportReference, ImportRepository } from './import-repository.ts'

interface ImportDeps {
  stores: ConversationStores
  imports: ImportRepository
  files: Pick<FileRepository, 'findMany'>
}

type ImportState = z.output<typeof importResponse>['conversations'][number]['state']

/** Attempts when imports of the same conversation collide. */
const maxAttempts = 3

/** Conversations of a request, and batches of one conversation, that are stored concurrently. */
const conversationsAtOnce = 8
const batchesAtOnce = 4

const formatUuid = (...names: readonly (string | number)[]): string => {
  const hex = createHash('sha256').update(JSON.stringify(names)).digest('hex')
  return [8, 12, 16, 20, 32].map((end, index, ends) => hex.slice(ends[index - 1], end)).join('-')
}

/**
 * The start of a conversation's id, the same in each import of it. The end counts those that were deleted, because the id of a deleted
 * conversation cannot be used again while its tombstone exists.
 */
const idPrefix = (...names: readonly string[]) => `${formatUuid(...names).slice(0, 23)}-`
const formatId = (prefix: string, deletions: number) => prefix + String(deletions).padStart(12, '0')

/** Stores conversations of an export, or parts of them. @returns the state of each, in their order */
export async function importConversations(
  deps: ImportDeps,
  reference: ImportReference & { sub: string },
  conversations: readonly ImportedConversation[],
): Promise<{ source_id: string; state: ImportState }[]> {
  const states: { source_id: string; state: ImportState }[] = []
  for (let at = 0; at < conversations.length; at += conversationsAtOnce)
    states.push(
      ...(await waitForAll(
        conversations.slice(at, at + conversationsAtOnce).map(async (conversation) => ({
          source_id: conversation.source_id,
          state: await importConversation(deps, reference, conversation),
        })),
      )),
    )
  return states
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
    if (current && !current.import_open) return isOwn ? 'imported' : 'existing'
    // another tab imports it at the same time, or has taken it over
    if (!isOwn && (conversation.continues || (current && attempt > 1))) return 'existing'
    // left by an import that did not finish; its messages may differ from these
    if (current && !isOwn) await deleteConversation(stores, { sub, sessionId: current.id })
    const usedIds = new Set(known.map(({ id }) => id))
    let deletions = 0
    while (usedIds.has(formatId(prefix, deletions))) deletions += 1
    const id = isOwn && current ? current.id : formatId(prefix, deletions)
    const { title, created_at, updated_at, archived } = conversation
    if (!(await imports.open(sub, id, reference, { title, created_at, updated_at, archived }))) continue
    await stores.texts.reserveText(sub, id, Buffer.byteLength(JSON.stringify(conversation)))
    await storeMessages(deps, { sub, sessionId: id }, conversation)
    if (!conversation.complete) return 'open'
    await claimRun(stores, { sub, sessionId: id }, conversation)
    if (await imports.close(sub, id, reference.importId, conversation.message_count)) return 'imported'
    // it was deleted meanwhile, which may not have seen all of this part
    await deleteConversation(stores, { sub, sessionId: id })
  }
  return 'existing'
}

async function storeMessages(
  { stores, files }: ImportDeps,
  { sub, sessionId }: { sub: string; sessionId: string },
  { messages }: ImportedConversation,
): Promise<void> {
  const fileIds = [...new Set(messages.flatMap(({ attachment_ids: ids = [] }) => ids))]
  const found = fileIds.length > 0 ? await files.findMany(sub, fileIds) : new Map<string, never>()
  const toAttachments = (ids: readonly string[] = []): Attachment[] =>
    ids.flatMap((id) => {
      const file = found.get(id)
      return file?.state === 'ready' ? [toAttachment(sub, file)] : []
    })
  const stored = messages.map(({ turn, role, content, created_at, attachment_ids: ids }): StoredMessage => {
    const slot = role === 'user' ? 'user' : 'reply'
    return {
      id: formatUuid(sessionId, turn, slot),
      session_id: sessionId,
      turn,
      slot,
      role,
      content,
      attachments: toAttachments(ids),
      tool_calls: [],
      created_at,
      imported: true,
    }
  })
  // a request may have a message twice, and a batch may not
  const bySlot = [...new Map(stored.map((message) => [message.id, message])).values()]
  const size = Math.max(25, Math.ceil(bySlot.length / batchesAtOnce))
  await Promise.all(
    Array.from({ length: Math.ceil(bySlot.length / size) }, (_, part) =>
      stores.messages.putAll(sub, bySlot.slice(part * size, (part + 1) * size)),
    ),
  )
  await stores.files.addReferences(
    sub,
    sessionId,
    bySlot.flatMap(({ attachments }) => attachments),
  )
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
      runId: formatUuid(sessionId),
      turn: turns,
      messageId: formatUuid(sessionId, turns, 'user'),
      replyId: formatUuid(sessionId, turns, 'reply'),
      ...(branches && { branches }),
    })
  } catch (error) {
    // a repeat of this request was faster
    if (!(error instanceof RunChanged)) throw error
  }
}
