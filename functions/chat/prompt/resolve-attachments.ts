import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { ConversationFiles } from '../../files/conversation-files.ts'
import { AttachmentNotFound, AttachmentUnfinished } from '../../files/errors.ts'
import { idInLink, withoutLinks } from '../../files/file-links.ts'
import { safeFileName } from '../../files/file-name.ts'

type Reference = NonNullable<ChatRequest['messages'][number]['attachments']>[number]

/** A file of a message as the model is told of it; with its text where the file itself is not kept. */
export interface SaidAttachment extends Attachment {
  extractedText?: string | undefined
}

/** What becomes of a file that is not there any more: it may be known by its name, or only where its text comes along. */
type Missing = 'refused' | 'by text' | 'by name'

/** The id a reference names: its own, or that in a link to a file of this very user. */
const idOf = (sub: string, { id, url }: Reference) => id || idInLink(sub, url)

const named = ({ id, name, type, size, extractedText }: Reference): SaidAttachment => ({
  id: id ?? '',
  name: safeFileName(name ?? ''),
  type: type ?? '',
  size: size ?? 0,
  ...(extractedText && { extractedText }),
})

/**
 * The caller's own finished files that a message carries (DEC-011); name, type and size come from the store.
 * @throws AttachmentNotFound when one is deleted, somebody else's, or named by a foreign address; AttachmentUnfinished
 */
export async function resolveAttachments(
  files: Pick<ConversationFiles, 'findMany'>,
  sub: string,
  references: readonly Reference[] | null | undefined,
  missing: Missing = 'refused',
): Promise<SaidAttachment[]> {
  const byId = new Map((references ?? []).map((reference) => [idOf(sub, reference), reference]))
  if (byId.size === 0) return []
  const ids = [...byId.keys()].filter((id) => id !== undefined)
  const found = await files.findMany(sub, ids)
  return [...byId].map(([id, reference]) => {
    const file = id === undefined ? undefined : found.get(id)
    if (file?.state === 'ready') return withoutLinks(sub, file)
    if (missing === 'by name' || (missing === 'by text' && reference.extractedText)) return named(reference)
    if (file) throw new AttachmentUnfinished(`upload of ${file.id} is not completed`)
    throw new AttachmentNotFound(`no file ${id ?? ''} of the caller`)
  })
}
