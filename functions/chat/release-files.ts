import type { Attached } from '../files/file-links.ts'
import { deleteFile } from '../files/delete-files.ts'
import { AttachmentNotFound } from '../files/errors.ts'
import type { Logger } from '../platform/logger.ts'
import type { SettingsRepository } from '../settings/settings-repository.ts'

interface Means {
  attached: Attached
  settings: Pick<SettingsRepository, 'find'>
}

interface Done {
  sub: string
  /** false: the chat is in no history, and neither are its files */
  kept: boolean
  ids: readonly string[]
  log: Logger
}

/**
 * Deletes the files of a turn whose reply is done, where the user lets none be stored or the chat is not kept (DEC-033). Messages
 * keep their names. What cannot be deleted now stays among the user's files; the reply is there all the same.
 */
export async function releaseFiles(
  { attached, settings }: Means,
  { sub, kept, ids, log }: Done,
): Promise<void> {
  if (ids.length === 0) return
  try {
    if (kept && (await settings.find(sub)).store_uploads) return
    for (const id of new Set(ids))
      await deleteFile(attached, sub, id).catch((error: unknown) => {
        if (!(error instanceof AttachmentNotFound)) throw error
      })
  } catch (error) {
    log.error('files that are not to stay could not be deleted', { error })
  }
}
