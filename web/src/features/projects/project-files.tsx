import { useQueryClient } from '@tanstack/react-query'
import { Download, FilePlus2, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import type { Project } from '#shared/contracts/projects.ts'
import { formatSize, pickerAccept } from '#shared/file-kinds.ts'
import { FileSummary } from '../../components/file-icon.tsx'
import { SettingsCard } from '../../components/settings-card.tsx'
import { Button } from '../../components/ui/button.tsx'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { Spinner } from '../../components/ui/spinner.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { useFileDownload } from '../../components/use-file-download.ts'
import { describeReading } from '../../components/reading-note.ts'
import { announce } from '../../lib/announce.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { callApi } from '../../lib/call-api.ts'
import { projectQuery } from '../../lib/projects.ts'
import { locale } from '../../lib/locale.ts'
import * as pageTexts from './page-texts.ts'
import * as texts from './texts.ts'

/**
 * Stores a file, and has it read. Provided by the app, because features do not import each other.
 * @param onProgress 0 to 1; 1 when everything was sent
 * @throws an error for `errorMessage`
 */
export type UploadFile = (
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
) => Promise<Attachment>

interface PendingUpload {
  key: string
  name: string
  /** 0 to 1 */
  progress: number
}

/** When a file was added, which tells it from others of its name. */
function describeAge({ created_at }: Project['files'][number], isNewest: boolean): string {
  const at = formatDateTime(new Date(created_at))
  return isNewest ? pageTexts.newestOfName(at) : pageTexts.addedAt(at)
}

/** The files of a project, with a button to add some. Leaving the page gives up uploads that are not finished. */
export function ProjectFiles({ project, upload }: { project: Project; upload: UploadFile }) {
  const queryClient = useQueryClient()
  const download = useFileDownload()
  const input = useRef<HTMLInputElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const [pending, setPending] = useState<readonly PendingUpload[]>([])
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])

  const change = async (body: { add_files: string[] } | { remove_files: string[] }) => {
    const { project: changed } = await callApi('projects.update', {
      params: { projectId: project.id },
      body,
    })
    await queryClient.cancelQueries({ queryKey: projectQuery(project.id).queryKey })
    queryClient.setQueryData(projectQuery(project.id).queryKey, changed)
  }
  const add = async (file: File) => {
    const signal = leaving.current?.signal
    if (!signal) return
    const key = crypto.randomUUID()
    setPending((all) => [...all, { key, name: file.name, progress: 0 }])
    const setProgress = (progress: number) =>
      setPending((all) => all.map((each) => (each.key === key ? { ...each, progress } : each)))
    try {
      const { id } = await upload(file, setProgress, signal)
      await change({ add_files: [id] })
      announce(pageTexts.fileAdded(file.name))
    } catch (error) {
      if (!signal.aborted)
        showToast('error', pageTexts.fileNotAdded(file.name), { description: errorMessage(error) })
    } finally {
      setPending((all) => all.filter((each) => each.key !== key))
    }
  }
  const remove = async ({ id }: Attachment) => {
    try {
      await change({ remove_files: [id] })
      addButton.current?.focus()
      showToast('info', texts.fileRemoved, { description: texts.fileRemovedHint })
    } catch (error) {
      showToast('error', texts.fileNotRemoved, { description: errorMessage(error) })
    }
  }

  return (
    <SettingsCard title={texts.files} subtitle={texts.filesHint}>
      {project.files.length === 0 && pending.length === 0 ? (
        <p className="mt-3 text-ink-muted">{texts.noFiles}</p>
      ) : (
        <ul aria-label={texts.files} className="mt-3 divide-y divide-line">
          {project.files.map((file) => {
            const namesakes = project.files.filter(({ name }) => name === file.name)
            const age = namesakes.length > 1 ? describeAge(file, namesakes.at(-1) === file) : undefined
            const name = age === undefined ? file.name : `${file.name}, ${age}`
            return (
              <li key={file.id} className="flex items-center gap-3 py-2">
                <FileSummary file={file}>
                  {[formatSize(file.size, locale), describeReading(file) ?? texts.notRead, age]
                    .filter((fact) => fact !== undefined)
                    .join(' · ')}
                </FileSummary>
                <IconButton
                  label={pageTexts.download(name)}
                  tooltip={false}
                  icon={<Download size={18} strokeWidth={1.75} />}
                  onClick={() => void download(file)}
                />
                <IconButton
                  label={pageTexts.removeFile(name)}
                  tooltip={false}
                  icon={<X size={18} strokeWidth={1.75} />}
                  onClick={() => void remove(file)}
                />
              </li>
            )
          })}
          {pending.map(({ key, name, progress }) => (
            <li key={key} className="flex items-center gap-3 py-3 text-ink-muted">
              <Spinner />
              <span className="min-w-0 truncate" dir="auto">
                {progress < 1
                  ? pageTexts.uploading(name, Math.floor(progress * 100))
                  : pageTexts.reading(name)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Button ref={addButton} className="mt-3 max-sm:w-full" onClick={() => input.current?.click()}>
        <FilePlus2 aria-hidden size={16} />
        {texts.addFiles}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={texts.filesToAdd}
        accept={pickerAccept}
        onChange={({ currentTarget }) => {
          for (const file of currentTarget.files ?? []) void add(file)
          // the same file can be chosen again
          currentTarget.value = ''
        }}
      />
    </SettingsCard>
  )
}
