import type { SettingsRepository } from '../settings/settings-repository.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { deleteExpiredFiles, releaseFiles } from './delete-files.ts'
import type { FileDeps } from './file-links.ts'

export interface TurnFiles {
  /** false for a temporary chat */
  isSaved: boolean
  /** the turn's conversation, if it is stored: what another one or a project uses stays */
  sessionId: string | undefined
  /** of the files that came with the turn or were made in it; none that was in use before */
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
  { isSaved, sessionId, ids, mayRetry }: TurnFiles,
): Promise<void> {
  if (ids.length === 0) return
  try {
    if (isSaved && (await settings.find(sub)).store_uploads) return
    const wanted = new Set(ids)
    if (mayRetry) for (const id of wanted) await fileDeps.files.setExpiry(sub, id, Date.now(), sessionId)
    const all = await fileDeps.files.listAll(sub)
    if (!mayRetry)
      await releaseFiles(
        fileDeps,
        sub,
        all.filter(({ id }) => wanted.has(id)),
        new Set(sessionId === undefined ? [] : [sessionId]),
      )
    // files of abandoned earlier turns
    await deleteExpiredFiles(fileDeps, sub, { files: all, nowMs: Date.now() })
  } catch (error) {
    logger.error('failed to delete temporary files', { error })
  }
}
