import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import { useActions } from '../../../lib/actions/actions.ts'
import { downloadBlob } from '../../../lib/browser/download.ts'
import type { WordFile } from './export-word.ts'

/** The toast of the progress stays until the document is written; it disappears after this time at the latest. */
const maxProgressMs = 120_000

type WriteWord = (module: typeof import('./export-word.ts')) => Promise<WordFile>

/**
 * Loads the code that writes Word documents. Toasts say that a document is being written, and whether that failed.
 * @returns a function that writes a document and downloads it, unless the user has signed out meanwhile; while one with the same id is being written, it does nothing
 */
export function useWordExport(): (id: string, write: WriteWord) => void {
  const actions = useActions()
  return useCallback(
    (id, write) => {
      const progressId = `word-export-${id}`
      void actions.start(progressId, async () => {
        showToast('info', t`Writing the Word document…`, { id: progressId, durationMs: maxProgressMs })
        try {
          const { name, blob } = await write(await import('./export-word.ts'))
          if (!actions.isClosed()) downloadBlob(blob, name)
        } catch (cause) {
          if (!actions.isClosed())
            showToast('error', t`The Word document could not be written`, {
              description: t`Nothing is lost. Please try again.`,
              cause,
            })
        } finally {
          dismissToast(progressId)
        }
      })
    },
    [actions],
  )
}
