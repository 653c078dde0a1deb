import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Download, Plus, X } from 'lucide-react'
import { useCallback, useRef } from 'react'
import type { Project } from '#shared/contracts/projects.ts'
import { formatSize, pickerAccept } from '#shared/file-kinds.ts'
import { FileSummary } from '../../components/file-icon.tsx'
import { Button } from '../../components/ui/button.tsx'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { Spinner } from '../../components/ui/spinner.tsx'
import { useUserToast } from '../../components/use-user-toast.ts'
import { useAddFiles } from '../../components/use-add-files.ts'
import { useAction } from '../../components/use-action.ts'
import { usePageOffer } from '../../components/use-result-navigation.ts'
import { useFileDownload } from '../../components/use-file-download.ts'
import { describeReading } from '../../components/describe-reading.ts'
import { formatDateTime } from '../../lib/text/dates.ts'
import { useStore } from '../../lib/browser/create-store.ts'
import { updateProject } from '../../lib/queries/project-queries.ts'
import { useUserResource } from '../../lib/actions/user-resources.ts'
import { locale } from '../../lib/text/locale.ts'
import { Pane } from './pane.tsx'
import { createProjectUploads, type UploadFile } from './project-uploads.ts'

/** When a file was added, which tells it from others of its name. */
function describeAge({ created_at }: Project['files'][number], isNewest: boolean): string {
  const at = formatDateTime(new Date(created_at))
  return isNewest ? t`added ${{ time: at }}, the newest of this name` : t`added ${{ time: at }}`
}

/** The files of a project, with a button to add some. */
export function ProjectFiles({ project, upload }: { project: Project; upload: UploadFile }) {
  const input = useRef<HTMLInputElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const offer = usePageOffer()
  const uploads = useUserResource(createProjectUploads)
  const { mayAdd, addFiles } = useAddFiles(
    useCallback(
      (files: readonly File[]) => {
        uploads.add({ projectId: project.id, files, upload, offer })
        // a project takes any number; the service refuses what is too much
        return true
      },
      [uploads, project.id, upload, offer],
    ),
  )
  const pendingUploads = useStore(uploads.pending).filter(({ projectId }) => projectId === project.id)
  return (
    <Pane
      title={t`Files`}
      hint={t`The assistant knows what stands in these documents. Short ones it reads whole, long ones it searches. Pictures are not shown to it.`}
      action={
        <Button
          ref={addButton}
          disabled={!mayAdd}
          variant="ghost"
          size="sm"
          className="-me-2.5"
          aria-label={t`Add files`}
          onClick={() => input.current?.click()}
        >
          <Plus aria-hidden size={16} />
          {t`Add`}
        </Button>
      }
    >
      {!mayAdd && (
        <p className="mt-2 text-sm text-ink-muted">{t`Your group may not add files. Please ask an administrator.`}</p>
      )}
      {project.files.length + pendingUploads.length > 0 && (
        <ul aria-label={t`Files`} className="mt-2 divide-y divide-line border-t border-line">
          {project.files.map((file) => (
            <ProjectFile
              key={file.id}
              project={project}
              file={file}
              onRemoved={() => addButton.current?.focus()}
            />
          ))}
          {pendingUploads.map(({ key, name, progress }) => (
            <li key={key} className="flex items-center gap-3 py-3 text-ink-muted">
              <Spinner />
              <span className="min-w-0 truncate" dir="auto">
                {progress < 1
                  ? t`Uploading ${{ fileName: name }}, ${{ percent: Math.floor(progress * 100) }}%`
                  : t`Reading ${{ fileName: name }}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t`Files to add to the project`}
        accept={pickerAccept}
        onChange={({ currentTarget }) => {
          addFiles([...(currentTarget.files ?? [])])
          // the same file can be chosen again
          currentTarget.value = ''
        }}
      />
    </Pane>
  )
}

/** @param onRemoved called if the button that has removed it still has the focus, which has to go elsewhere */
function ProjectFile({
  project,
  file,
  onRemoved,
}: {
  project: Project
  file: Project['files'][number]
  onRemoved: () => void
}) {
  const queryClient = useQueryClient()
  const download = useFileDownload()
  const showToast = useUserToast()
  const removeButton = useRef<HTMLButtonElement>(null)
  const removal = useAction(
    `remove ${file.id} from ${project.id}`,
    async () => {
      await updateProject(queryClient, project.id, { remove_files: [file.id] })
      if (removeButton.current === document.activeElement) onRemoved()
      showToast('info', t`File removed`, { description: t`It stays among your files.` })
    },
    t`The file could not be removed`,
  )
  const namesakes = project.files.filter(({ name }) => name === file.name)
  const age = namesakes.length > 1 ? describeAge(file, namesakes.at(-1) === file) : undefined
  const name = age === undefined ? file.name : `${file.name}, ${age}`
  return (
    <li className="flex items-center gap-3 py-2">
      <FileSummary file={file}>
        {[formatSize(file.size, locale), describeReading(file) ?? t`Its content is not read`, age]
          .filter((fact) => fact !== undefined)
          .join(' · ')}
      </FileSummary>
      <IconButton
        label={t`Download ${{ fileName: name }}`}
        tooltip={false}
        icon={<Download size={18} strokeWidth={1.75} />}
        onClick={() => void download(file)}
      />
      <IconButton
        ref={removeButton}
        label={t`Remove ${{ fileName: name }} from the project`}
        tooltip={false}
        aria-disabled={removal.isBusy || undefined}
        aria-busy={removal.isBusy || undefined}
        icon={removal.isBusy ? <Spinner /> : <X size={18} strokeWidth={1.75} />}
        onClick={() => removal.start()}
      />
    </li>
  )
}
