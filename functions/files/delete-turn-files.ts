import type { SettingsRepository } from '../settings/settings-repository.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { deleteExpiredFiles, deleteFile } from './delete-files.ts'
import { AttachmentNotFound } from './errors.ts'
import type { FileDeps } from './file-links.ts'

export interface TurnFiles {
  /** false: the chat is in no history, and neither are its files */
  isSaved: boolean
  ids: readonly string[]
  /** the message may be sent again, and then needs its files once more: they expire instead */
  mayRetry: boolean
}

/**
 * Deletes the files of a turn that is over, where the user lets none be stored or the chat is not kept (DEC-033). Messages keep
 * their names. Never throws: what cannot be deleted now stays among the user's files, and the reply is there all the same.
 */
export async function deleteTurnFiles(
  { fileDeps, settings }: { fileDeps: FileDeps; settings: Pick<SettingsRepository, 'find'> },
  sub: string,
  { isSaved, ids, mayRetry }: TurnFiles,
): Promise<void> {
  if (ids.length === 0) return
  try {
    if (isSaved && (await settings.find(sub)).store_uploads) return
    for (const id of new Set(ids))
      await (mayRetry ? fileDeps.files.setExpiry(sub, id, Date.now()) : deleteFile(fileDeps, sub, id)).catch(
        (error: unknown) => {
          if (!(error instanceof AttachmentNotFound)) throw error
        },
      )
    // of this user's earlier turns, which nobody came back to
    await deleteExpiredFiles(fileDeps, sub, {
      files: await fileDeps.files.list(sub),
      nowMs: Date.now(),
    })
  } catch (error) {
    logger.error('files that are not to stay could not be deleted', { error })
  }
}
