import { plural, t } from '@lingui/core/macro'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { useUserToast } from '../../components/use-user-toast.ts'
import { useLast } from '../../lib/browser/use-last.ts'
import type { ImportService } from './import-service.ts'

export interface UndoTarget {
  id: string
  conversations: number
}

/** Asks whether an import is undone. @param target undefined while nothing is asked */
export function UndoImportDialog({
  target,
  onClose,
  onUndo,
}: {
  target: UndoTarget | undefined
  onClose: () => void
  onUndo: ImportService['undo']
}) {
  const showToast = useUserToast()
  const shownTarget = useLast(target)
  if (!shownTarget) return null
  const undo = async () => {
    try {
      await onUndo(shownTarget.id)
      showToast('success', t`Import undone`)
    } catch (error) {
      showToast('error', t`The import could not be undone completely`, {
        error,
      })
    }
  }
  return (
    <ActionDialog
      open={target !== undefined}
      onClose={onClose}
      title={t`Undo this import?`}
      confirmLabel={t`Undo import`}
      isDestructive
      // closes at once: undoing takes long, and goes on while other pages are shown
      onConfirm={async () => void undo()}
    >
      <p className="text-ink-muted">
        {plural(shownTarget.conversations, {
          one: '# conversation will be deleted, with its files and with what you added to it since.',
          other: '# conversations will be deleted, with their files and with what you added to them since.',
        })}
      </p>
      <p className="mt-2 text-ink-muted">{t`Projects, prompts and memories stay, and so do messages that were added to conversations of an earlier import.`}</p>
    </ActionDialog>
  )
}
