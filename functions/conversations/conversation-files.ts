import type { Attachment } from '#shared/contracts/files.ts'
import type { ConversationFiles } from '../files/conversation-files.ts'
import { deleteFiles } from '../files/delete-files.ts'
import { AttachmentNotFound } from '../files/errors.ts'
import { withLinks, type Attached } from '../files/file-links.ts'
import { releaseFiles, type Release } from '../files/delete-turn-files.ts'
import type { SettingsRepository } from '../settings/settings-repository.ts'

/** The files that the messages of conversations carry. */
export interface SessionFiles {
  /** gives the attachments of messages their links */
  links: <M extends { attachments: Attachment[] }>(sub: string, messages: readonly M[]) => Promise<M[]>
  /** remembers that a message of the conversation carries them; one that was deleted meanwhile is left out */
  use: (sub: string, sessionId: string, attachments: readonly Attachment[]) => Promise<void>
  /** the turn that they belong to is over; never throws */
  release: (sub: string, release: Release) => Promise<void>
  /** marks files of a chat that is not kept, so that they go even if nobody comes back to it */
  expire: (sub: string, ids: readonly string[]) => Promise<void>
  /**
   * The conversation goes, and with it the files that no other one uses; can be repeated.
   * @throws ObjectStoreUnavailable
   */
  remove: (sub: string, sessionId: string) => Promise<void>
}

const unlessGone = (error: unknown) => {
  if (!(error instanceof AttachmentNotFound)) throw error
}

export const sessionFiles = (
  attached: Attached<ConversationFiles>,
  settings: Pick<SettingsRepository, 'find'>,
): SessionFiles => ({
  links: (sub, messages) => withLinks(attached, sub, messages),

  async use(sub, sessionId, attachments) {
    await Promise.all(attachments.map(({ id }) => attached.files.use(sub, id, sessionId).catch(unlessGone)))
  },

  release: (sub, release) => releaseFiles({ attached, settings }, sub, release),

  async expire(sub, ids) {
    await Promise.all(ids.map((id) => attached.files.expire(sub, id, Date.now()).catch(unlessGone)))
  },

  async remove(sub, sessionId) {
    const used = (await attached.files.listAll(sub)).filter((file) => file.used_in?.has(sessionId))
    const shared = used.filter((file) => (file.used_in?.size ?? 0) > 1)
    for (const { id } of shared) await attached.files.leave(sub, id, sessionId).catch(unlessGone)
    await deleteFiles(
      attached,
      sub,
      used.filter((file) => !shared.includes(file)),
    )
  },
})

/** Where the files are not at hand: attachments come without links, and nothing is known of their use. */
export const noSessionFiles: SessionFiles = {
  links: async (_, messages) => [...messages],
  use: async () => undefined,
  release: async () => undefined,
  expire: async () => undefined,
  remove: async () => undefined,
}
