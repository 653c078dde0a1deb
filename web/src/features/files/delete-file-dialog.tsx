import { plural, t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { ignoreNotFound } from '../../lib/api/api-errors.ts'
import { assistantsQuery } from '../../lib/conversations/assistant-queries.ts'
import { announce } from '../../lib/browser/announce.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { useLast } from '../../lib/browser/use-last.ts'
import { filesQuery, type ListedFile } from './files-queries.ts'

/** Says what projects lose with a file. @param count of the projects */
const describeProjectLoss = (count: number) =>
  plural(count, { one: 'The project that it is in loses it.', other: '# projects that it is in lose it.' })

/** Asks before deleting a file. @param file undefined closes the dialog */
export function DeleteFileDialog({ file, onClose }: { file: ListedFile | undefined; onClose: () => void }) {
  const queryClient = useQueryClient()
  // also while the dialog closes
  const shownFile = useLast(file)
  const projectIds = shownFile?.project_ids ?? []
  const { data } = useQuery({ ...assistantsQuery, enabled: projectIds.length > 0 })
  const isPublished = data?.assistants.some(
    ({ mine, project_id: id }) => mine && id !== undefined && projectIds.includes(id),
  )
  const remove = async () => {
    if (!file) return
    await callApi('files.delete', { params: { attachmentId: file.id } }).catch(ignoreNotFound)
    await queryClient.invalidateQueries({ queryKey: filesQuery.queryKey })
    announce(t`File deleted`)
  }

  return (
    <ActionDialog
      open={file !== undefined}
      onClose={onClose}
      title={t`Delete this file?`}
      confirmLabel={t`Delete`}
      isDestructive
      actionKey={`delete file ${shownFile?.id}`}
      onConfirm={remove}
    >
      <p className="wrap-anywhere text-ink-muted">
        {t`“${{ name: shownFile?.name ?? '' }}” will be deleted permanently.`}
        {shownFile &&
          shownFile.session_ids.length > 0 &&
          ` ${t`The messages that it is attached to keep its name.`}`}
        {projectIds.length > 0 && ` ${describeProjectLoss(projectIds.length)}`}
        {isPublished &&
          ` ${t`An assistant that was published with it has its text until you publish again or withdraw it.`}`}
      </p>
    </ActionDialog>
  )
}
