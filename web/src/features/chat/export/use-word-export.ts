import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import { useActions } from '../../../lib/actions.ts'

/** The toast of the progress stays until the document is written; it disappears after this time at the latest. */
const maxProgressMs = 120_000

type WriteWord = (module: typeof import('./export-word.ts')) => Promise<void>

/**
 * Loads the code that writes Word documents. Toasts say that a document is being written, and whether that failed.
 * @returns a function that writes a document; while one with the same id is being written, it does nothing
 */
export function useWordExport(): (id: string, write: WriteWord) => void {
  const actions = useActions()
  return useCallback(
    (id, write) => {
      const progressId = `word-export-${id}`
      void actions.start(progressId, async () => {
        showToast('info', t`Writing the Word document…`, { id: progressId, durationMs: maxProgressMs })
        try {
          await write(await import('./export-word.ts'))
          dismissToast(progressId)
        } catch {
          dismissToast(progressId)
          if (!actions.isClosed())
            showToast('error', t`The Word document could not be written`, {
              description: t`Nothing is lost. Please try again.`,
            })
        }
      })
    },
    [actions],
  )
}
