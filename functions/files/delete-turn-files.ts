import type { SettingsRepository } from '../settings/settings-repository.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { deleteExpiredFiles, deleteFile } from './delete-files.ts'
import { AttachmentNotFound } from './errors.ts'
import type { FileDeps } from './file-links.ts'

export interface TurnFiles {
  /** false for a temporary chat */
  isSaved: boolean
  ids: readonly string[]
  /** the message may be sent again, and then needs its files once more: they expire instead */
  mayRetry: boolean
}

/**
 * Deletes the files of a finished turn if the user stores no uploads or the conversation is temporary. Messages keep the names. Never
 * throws: files that cannot be deleted stay among the user's files.
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
    // files of abandoned earlier turns
    await deleteExpiredFiles(fileDeps, sub, {
      files: await fileDeps.files.list(sub),
      nowMs: Date.now(),
    })
  } catch (error) {
    logger.error('failed to delete temporary files', { error })
  }
}
