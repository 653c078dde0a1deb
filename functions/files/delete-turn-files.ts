import type { SettingsRepository } from '../settings/settings-repository.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { deleteExpiredFiles, deleteFile } from './delete-files.ts'
import { AttachmentNotFound } from './errors.ts'
import type { Attached } from './file-links.ts'

export interface Release {
  /** false: the chat is in no history, and neither are its files */
  kept: boolean
  ids: readonly string[]
  /** the message may be sent again, and then needs its files once more: they expire instead */
  mayRetry: boolean
}

/**
 * Deletes the files of a turn that is over, where the user lets none be stored or the chat is not kept (DEC-033). Messages keep
 * their names. Never throws: what cannot be deleted now stays among the user's files, and the reply is there all the same.
 */
export async function releaseFiles(
  { attached, settings }: { attached: Attached; settings: Pick<SettingsRepository, 'find'> },
  sub: string,
  { kept, ids, mayRetry }: Release,
): Promise<void> {
  if (ids.length === 0) return
  try {
    if (kept && (await settings.find(sub)).store_uploads) return
    for (const id of new Set(ids))
      await (mayRetry ? attached.files.expire(sub, id, Date.now()) : deleteFile(attached, sub, id)).catch(
        (error: unknown) => {
          if (!(error instanceof AttachmentNotFound)) throw error
        },
      )
    // of this user's earlier turns, which nobody came back to
    await deleteExpiredFiles(attached, sub, {
      files: await attached.files.list(sub),
      nowMs: Date.now(),
    })
  } catch (error) {
    logger.error('files that are not to stay could not be deleted', { error })
  }
}
