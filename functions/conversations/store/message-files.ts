import type { Attachment } from '#shared/contracts/files.ts'
import { ignoreMissing, releaseFiles } from '../../files/delete-files.ts'
import { addLinks, type MessageFileDeps } from '../../files/file-links.ts'
import { deleteTurnFiles, type TurnFiles } from '../../files/delete-turn-files.ts'
import type { SettingsRepository } from '../../settings/settings-repository.ts'

/** The files that the messages of conversations carry. */
export interface MessageFiles {
  /** gives the attachments of messages their links */
  addLinks: <M extends { attachments: Attachment[] }>(sub: string, messages: readonly M[]) => Promise<M[]>
  /** records that a message of the conversation references the files. @returns whether all of them exist; deleted ones are skipped */
  addReferences: (
    sub: string,
    sessionId: string,
    files: readonly Pick<Attachment, 'id'>[],
  ) => Promise<boolean>
  /** deletes the files of a finished turn if they should not be stored; never throws */
  deleteTurnFiles: (sub: string, turnFiles: TurnFiles) => Promise<void>
  /** sets the expiry of files of a temporary chat that nothing else uses */
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

/** Links, references and deletes the files of messages. */
export const messageFiles = (
  fileDeps: MessageFileDeps,
  settings: Pick<SettingsRepository, 'find'>,
): MessageFiles => ({
  addLinks: (sub, messages) => addLinks(fileDeps, sub, messages),

  async addReferences(sub, sessionId, referenced) {
    const added = referenced.map(({ id }) =>
      fileDeps.files.addReference(sub, id, sessionId).then(
        () => true,
        (error: unknown) => {
          ignoreMissing(error)
          return false
        },
      ),
    )
    return (await Promise.all(added)).every(Boolean)
  },

  deleteTurnFiles: (sub, turnFiles) => deleteTurnFiles({ fileDeps, settings }, sub, turnFiles),

  async setExpiry(sub, ids) {
    await Promise.all(ids.map((id) => fileDeps.files.setExpiry(sub, id, Date.now())))
  },

  async deleteConversationFiles(sub, sessionIds, ids) {
    if (ids?.size === 0) return
    const owners = new Set(sessionIds)
    const used = (await fileDeps.files.listAll(sub)).filter(
      (file) => ids?.has(file.id) !== false && [...(file.used_in ?? [])].some((owner) => owners.has(owner)),
    )
    await releaseFiles(fileDeps, sub, used, owners)
  },
})
