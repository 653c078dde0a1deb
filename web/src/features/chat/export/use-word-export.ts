import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import { useActions } from '../../../lib/actions.ts'

/** A long conversation with pictures takes some seconds. */
const maxProgressMs = 120_000

type WriteWord = (module: typeof import('./export-word.ts')) => Promise<void>

/**
 * Loads what writes Word documents, and shows that one is written, or that it failed.
 * @returns writes the document of what the id names, once at a time
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
