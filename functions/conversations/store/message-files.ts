import type { Attachment } from '#shared/contracts/files.ts'
import { deleteFiles } from '../../files/delete-files.ts'
import { AttachmentNotFound } from '../../files/errors.ts'
import { addLinks, type MessageFileDeps } from '../../files/file-links.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { deleteTurnFiles, type TurnFiles } from '../../files/delete-turn-files.ts'
import type { SettingsRepository } from '../../settings/settings-repository.ts'

/** The files that the messages of conversations carry. */
export interface MessageFiles {
  /** gives the attachments of messages their links */
  addLinks: <M extends { attachments: Attachment[] }>(sub: string, messages: readonly M[]) => Promise<M[]>
  /** records that a message of the conversation references the files; skips deleted files */
  addReferences: (sub: string, sessionId: string, attachments: readonly Attachment[]) => Promise<void>
  /** deletes the files of a finished turn if they should not be stored; never throws */
  deleteTurnFiles: (sub: string, turnFiles: TurnFiles) => Promise<void>
  /** sets the expiry of files of a temporary chat */
  setExpiry: (sub: string, ids: readonly string[]) => Promise<void>
  /**
   * Deletes the files of deleted conversations that no other one uses; can be repeated.
   * @param ids of a conversation's files that its messages use no more; by default all
   * @throws ObjectStoreUnavailable
   */
  deleteConversationFiles: (
    sub: string,
    sessionIds: readonly string[],
    ids?: ReadonlySet<string>,
  ) => Promise<void>
}

const ignoreMissing = (error: unknown) => {
  if (!(error instanceof AttachmentNotFound)) throw error
}

export const messageFiles = (
  fileDeps: MessageFileDeps,
  settings: Pick<SettingsRepository, 'find'>,
): MessageFiles => ({
  addLinks: (sub, messages) => addLinks(fileDeps, sub, messages),

  async addReferences(sub, sessionId, attachments) {
    await Promise.all(
      attachments.map(({ id }) => fileDeps.files.addReference(sub, id, sessionId).catch(ignoreMissing)),
    )
  },

  deleteTurnFiles: (sub, turnFiles) => deleteTurnFiles({ fileDeps, settings }, sub, turnFiles),

  async setExpiry(sub, ids) {
    await Promise.all(ids.map((id) => fileDeps.files.setExpiry(sub, id, Date.now()).catch(ignoreMissing)))
  },

  async deleteConversationFiles(sub, sessionIds, ids) {
    const deletedIds = new Set(sessionIds)
    const unused: StoredFile[] = []
    for (const file of await fileDeps.files.listAll(sub)) {
      if (ids?.has(file.id) === false) continue
      const usedIn = [...(file.used_in ?? [])]
      const gone = usedIn.filter((id) => deletedIds.has(id))
      if (gone.length === 0) continue
      if (gone.length === usedIn.length) unused.push(file)
      else for (const id of gone) await fileDeps.files.removeReference(sub, file.id, id).catch(ignoreMissing)
    }
    await deleteFiles(fileDeps, sub, unused)
  },
})
