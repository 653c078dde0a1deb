import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { FileRepository } from '../../files/file-repository.ts'
import { AttachmentNotFound, AttachmentUnfinished } from '../../files/errors.ts'
import { parseLinkedId, toAttachment } from '../../files/file-links.ts'
import { sanitizeFileName } from '../../files/file-name.ts'

type Reference = NonNullable<ChatRequest['messages'][number]['attachments']>[number]

/** A file of a message, for the prompt; with its text if the file is not stored. */
export interface PromptAttachment extends Attachment {
  extractedText?: string | undefined
  /** a conversation or a project has it: it does not go with the turn, whatever is decided about its files */
  isInUse?: true
}

/** A file without an id is its own key. */
export const contextKey = (attachment: PromptAttachment): string | PromptAttachment =>
  attachment.id === '' ? attachment : attachment.id

/** How to treat a file that no longer exists: reject it, or accept its name, or accept it only with its text. */
type MissingFilePolicy = 'refused' | 'by text' | 'by name'

/** The id a reference names: its own, or that in a link to a file of this very user. */
const findId = (sub: string, { id, url }: Reference) => id || parseLinkedId(sub, url)

const fromReference = ({ id, name, type, size, extractedText }: Reference): PromptAttachment => ({
  id: id ?? '',
  name: sanitizeFileName(name ?? ''),
  type: type ?? '',
  size: size ?? 0,
  ...(extractedText && { extractedText }),
})

/**
 * Resolves the attachments of a message to the caller's finished files; name, type and size come from the table.
 * @throws AttachmentNotFound when a file is deleted, another user's, or referenced by a foreign URL; AttachmentUnfinished
 */
export async function resolveAttachments(
  files: Pick<FileRepository, 'findMany'>,
  sub: string,
  references: readonly Reference[] | null | undefined,
  policy: MissingFilePolicy,
): Promise<PromptAttachment[]> {
  const byId = new Map((references ?? []).map((reference) => [findId(sub, reference), reference]))
  if (byId.size === 0) return []
  const ids = [...byId.keys()].filter((id) => id !== undefined)
  const found = await files.findMany(sub, ids)
  const mayBeMissing = ({ extractedText }: Reference) =>
    policy === 'by name' || (policy === 'by text' && Boolean(extractedText))
  const refused = [...byId].filter(([id, reference]) => !found.has(id ?? '') && !mayBeMissing(reference))
  if (refused.length > 0) {
    // all of them at once, so that the caller can leave them out
    const refusedIds = refused.flatMap(([id]) => (id === undefined ? [] : [id]))
    throw new AttachmentNotFound(`no files ${refusedIds.join(', ')} of the caller`, refusedIds)
  }
  return [...byId].map(([id, reference]) => {
    const file = found.get(id ?? '')
    if (file?.state === 'ready') {
      const isInUse = file.expires_at === undefined && (file.used_in?.size ?? 0) > 0
      return { ...toAttachment(sub, file), ...(isInUse && { isInUse }) }
    }
    if (file && !mayBeMissing(reference))
      throw new AttachmentUnfinished(`upload of ${file.id} is not completed`)
    return fromReference(reference)
  })
}
