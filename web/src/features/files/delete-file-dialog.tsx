import { useQueryClient } from '@tanstack/react-query'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { ignoreNotFound } from '../../lib/api-errors.ts'
import { announce } from '../../lib/announce.ts'
import { callApi } from '../../lib/call-api.ts'
import { useLast } from '../../lib/use-last.ts'
import { filesQuery, type ListedFile } from './files-queries.ts'
import * as texts from './texts.tsx'

/** Asks before deleting a file. @param file undefined closes the dialog */
export function DeleteFileDialog({ file, onClose }: { file: ListedFile | undefined; onClose: () => void }) {
  const queryClient = useQueryClient()
  const shownFile = useLast(file)
  const remove = async () => {
    if (!file) return
    await callApi('files.delete', { params: { attachmentId: file.id } }).catch(ignoreNotFound)
    await queryClient.invalidateQueries({ queryKey: filesQuery.queryKey })
    announce(texts.deleted)
  }

  return (
    <ActionDialog
      open={file !== undefined}
      onClose={onClose}
      title={texts.deleteTitle}
      confirmLabel={texts.deleteFile}
      isDestructive
      onConfirm={remove}
    >
      <p className="[overflow-wrap:anywhere] text-ink-muted">
        {texts.deletionIsPermanent(shownFile?.name ?? '')}
        {shownFile && shownFile.session_ids.length > 0 && ` ${texts.nameStays}`}
      </p>
    </ActionDialog>
  )
}
