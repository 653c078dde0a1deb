import { createHash } from 'node:crypto'
import type { Attachment } from '#shared/contracts/files.ts'
import { maxImportedMessageCharacters } from '#shared/limits.ts'
import type { ImportedCall, ImportedConversation } from '#shared/contracts/imports.ts'
import type { FileRepository } from '../files/file-repository.ts'
import { toAttachment } from '../files/file-links.ts'
import { toStorable, toStorableFields } from '../platform/dynamodb/storable.ts'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'
import type { StoredMessage } from '../conversations/store/message-row.ts'
import type { ImportRepository } from './import-repository.ts'

export interface ImportDeps {
  stores: ConversationStores
  imports: ImportRepository
  files: Pick<FileRepository, 'findMany'>
}

/** Batches of one conversation that are stored concurrently. */
const batchesAtOnce = 4

/** Derives a UUID from names: the same names have the same one, so that a repeated import stores nothing twice. */
export const deriveUuid = (...names: readonly (string | number)[]): string => {
  const hex = createHash('sha256').update(JSON.stringify(names)).digest('hex')
  return [8, 12, 16, 20, 32].map((end, index, ends) => hex.slice(ends[index - 1], end)).join('-')
}

/** What others' calls have may be nothing that the table takes, such as a number of 400 digits or a name that is empty. */
const toStorableCall = (call: ImportedCall): ImportedCall => ({
  ...call,
  parameters: toStorableFields(call.parameters, maxImportedMessageCharacters),
  result: { ...call.result, data: toStorable(call.result.data, maxImportedMessageCharacters) },
})

/**
 * Stores messages of an imported conversation, with references to their files that exist. Can be repeated.
 * @param messages with the turns under which they are stored
 * @throws errors of the table
 */
export async function storeMessages(
  { stores, files }: ImportDeps,
  { sub, sessionId }: { sub: string; sessionId: string },
  { messages }: Pick<ImportedConversation, 'messages'>,
): Promise<void> {
  const fileIds = [...new Set(messages.flatMap(({ attachment_ids: ids = [] }) => ids))]
  const found = fileIds.length > 0 ? await files.findMany(sub, fileIds) : new Map<string, never>()
  const toAttachments = (ids: readonly string[] = []): Attachment[] =>
    ids.flatMap((id) => {
      const file = found.get(id)
      return file?.state === 'ready' ? [toAttachment(sub, file)] : []
    })
  const stored = messages.map(
    ({ turn, role, content, created_at, attachment_ids: ids, ...others }): StoredMessage => {
      const kind = role === 'user' ? 'user' : 'reply'
      const { reasoning, sources, ended, tool_calls: calls = [] } = others
      return {
        id: deriveUuid(sessionId, turn, kind),
        session_id: sessionId,
        turn,
        kind,
        role,
        content,
        attachments: toAttachments(ids),
        tool_calls: kind === 'reply' ? calls.map(toStorableCall) : [],
        created_at,
        imported: true,
        ...(kind === 'reply' && {
          ...(reasoning && { reasoning }),
          ...(sources && sources.length > 0 && { sources }),
          ...(ended && { ended }),
        }),
      }
    },
  )
  // a request may have a message twice, and a batch may not
  const unique = [...new Map(stored.map((message) => [message.id, message])).values()]
  const size = Math.max(25, Math.ceil(unique.length / batchesAtOnce))
  await Promise.all(
    Array.from({ length: Math.ceil(unique.length / size) }, (_, part) =>
      stores.messages.putAll(sub, unique.slice(part * size, (part + 1) * size)),
    ),
  )
  await stores.files.addReferences(
    sub,
    sessionId,
    unique.flatMap(({ attachments }) => attachments),
  )
}
