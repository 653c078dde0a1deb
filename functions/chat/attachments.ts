import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { ConversationFiles } from '../files/conversation-files.ts'
import { AttachmentNotFound, AttachmentUnfinished } from '../files/errors.ts'
import { idInLink, withoutLinks } from '../files/file-links.ts'

type References = ChatRequest['messages'][number]['attachments']

/** The id a reference names: its own, or that in a link to a file of this very user. */
const idOf = (sub: string, { id, url }: NonNullable<References>[number]) => id || idInLink(sub, url)

/**
 * The caller's own finished files that a message carries (DEC-011); name, type and size come from the store.
 * @throws AttachmentNotFound when one is deleted, somebody else's, or named by a foreign address; AttachmentUnfinished
 */
export async function resolveAttachments(
  files: Pick<ConversationFiles, 'findMany'>,
  sub: string,
  references: References,
): Promise<Attachment[]> {
  const ids = (references ?? []).map((reference) => idOf(sub, reference))
  if (ids.length === 0) return []
  const found = await files.findMany(
    sub,
    ids.filter((id) => id !== undefined),
  )
  return [...new Set(ids)].map((id) => {
    const file = id === undefined ? undefined : found.get(id)
    if (!file) throw new AttachmentNotFound(`no file ${id ?? ''} of the caller`)
    if (file.state !== 'ready') throw new AttachmentUnfinished(`upload of ${file.id} is not completed`)
    return withoutLinks(sub, file)
  })
}
