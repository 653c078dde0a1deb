import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Notice } from '../../components/ui/callout.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError, errorMessage } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { filesQuery, type ListedFile } from './files-queries.ts'

/** Asks before a file goes for good. @param file none: the dialog is closed */
export function DeleteFileDialog({ file, onClose }: { file: ListedFile | undefined; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  // the name stays while the dialog goes
  const [shown, setShown] = useState(file)
  if (file && file !== shown) {
    setShown(file)
    setProblem(undefined)
  }

  const remove = async () => {
    if (!file) return
    setBusy(true)
    setProblem(undefined)
    try {
      await callApi('files.delete', { params: { attachmentId: file.id } }).catch(unlessGone)
      await queryClient.invalidateQueries({ queryKey: filesQuery.queryKey })
      showToast('success', 'File deleted')
      onClose()
    } catch (error) {
      setProblem(errorMessage(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      open={file !== undefined}
      onOpenChange={(open) => {
        if (!open && !busy) onClose()
      }}
      title="Delete this file?"
      footer={
        <>
          <Button tone="ghost" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button tone="danger-solid" busy={busy} onClick={() => void remove()}>
            Delete
          </Button>
        </>
      }
    >
      <p className="[overflow-wrap:anywhere] text-ink-muted">
        “{shown?.name}” is removed for good.
        {shown && shown.session_ids.length > 0 && ' Messages that carry it keep its name.'}
      </p>
      {problem !== undefined && (
        <div className="mt-3">
          <Notice tone="danger">{problem}</Notice>
        </div>
      )}
    </Dialog>
  )
}

/** Deleted elsewhere meanwhile: that is what was wanted. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}
