import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { ApiError, errorMessage } from '../../lib/api-errors.ts'
import { announce } from '../../lib/announce.ts'
import { callApi } from '../../lib/call-api.ts'
import { filesQuery, type ListedFile } from './files-queries.ts'
import * as texts from './texts.tsx'
import * as commonTexts from '../../components/texts.ts'

/** Asks before deleting a file. @param file undefined closes the dialog */
export function DeleteFileDialog({ file, onClose }: { file: ListedFile | undefined; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  // the name stays while the dialog closes
  const [lastFile, setLastFile] = useState(file)
  if (file && file !== lastFile) setLastFile(file)

  const close = () => {
    setProblem(undefined)
    onClose()
  }
  const remove = async () => {
    if (!file) return
    setBusy(true)
    setProblem(undefined)
    try {
      await callApi('files.delete', { params: { attachmentId: file.id } }).catch(ignoreNotFound)
      await queryClient.invalidateQueries({ queryKey: filesQuery.queryKey })
      announce(texts.deleted)
      close()
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
        if (!open && !busy) close()
      }}
      title={texts.deleteTitle}
      footer={
        <>
          <Button variant="ghost" disabled={busy} onClick={close}>
            {commonTexts.cancel}
          </Button>
          <Button variant="danger-solid" busy={busy} onClick={() => void remove()}>
            {texts.deleteFile}
          </Button>
        </>
      }
    >
      <p className="[overflow-wrap:anywhere] text-ink-muted">
        {texts.deletionIsPermanent(lastFile?.name ?? '')}
        {lastFile && lastFile.session_ids.length > 0 && ` ${texts.nameStays}`}
      </p>
      {problem !== undefined && (
        <div className="mt-3">
          <Callout variant="danger">{problem}</Callout>
        </div>
      )}
    </Dialog>
  )
}

/** Ignores a 404: the file was already deleted elsewhere. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}
