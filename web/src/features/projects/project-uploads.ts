import { plural, t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import type { Attachment } from '#shared/contracts/files.ts'
import { showToast } from '../../components/ui/toast.ts'
import { announce } from '../../lib/announce.ts'
import { getErrorMessage } from '../../lib/api-errors.ts'
import { createStore, type Store } from '../../lib/create-store.ts'
import { updateProject } from '../../lib/project-queries.ts'
import { projectPath } from '../../lib/paths.ts'

/**
 * Stores a file, and has it read. Provided by the app, because features do not import each other.
 * @param onProgress 0 to 1; 1 when everything was sent
 * @throws an error for `getErrorMessage`
 */
export type UploadFile = (
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
) => Promise<Attachment>

interface PendingUpload {
  key: string
  projectId: string
  name: string
  /** 0 to 1 */
  progress: number
}

interface Addition {
  projectId: string
  files: Iterable<File>
  upload: UploadFile
  /** offers the way to the project when its page is not shown any more */
  offer: (path: string, title: string) => void
}

/** The files that a user adds to projects: at most three are sent at once, and they go on while other pages are shown. */
export interface ProjectUploads {
  readonly pending: Store<readonly PendingUpload[]>
  add: (addition: Addition) => void
  /** Gives up the uploads. */
  close: () => void
}

const maxUploads = 3

/** The uploads of all projects: three at a time, and they go on while other pages are shown. The leave guard of the browser asks until they end. */
export function createProjectUploads(queryClient: QueryClient): ProjectUploads {
  const pending = createStore<readonly PendingUpload[]>([])
  const controller = new AbortController()
  const { signal } = controller
  const waiting: (() => Promise<void>)[] = []
  let running = 0
  /** names of files that were added while another page was shown, by project */
  const unseen = new Map<string, string[]>()

  const warn = (event: BeforeUnloadEvent) => {
    if (pending.getState().length > 0) event.preventDefault()
  }
  addEventListener('beforeunload', warn)

  const startNext = () => {
    if (running >= maxUploads) return
    const next = waiting.shift()
    if (!next) return
    running += 1
    void next().finally(() => {
      running -= 1
      startNext()
    })
  }
  const change = (key: string, progress: number | undefined) =>
    pending.setState(
      pending
        .getState()
        .flatMap((each) => (each.key !== key ? each : progress === undefined ? [] : { ...each, progress })),
    )

  /** Reports an added file: by an announcement on the page of the project, elsewhere by one toast after the last upload. */
  const report = (projectId: string, name: string, offer: Addition['offer']) => {
    const path = projectPath(projectId)
    if (location.pathname === path) return announce(t`${{ fileName: name }} added`)
    unseen.set(projectId, [...(unseen.get(projectId) ?? []), name])
    if (pending.getState().some((each) => each.projectId === projectId)) return
    const names = unseen.get(projectId) ?? []
    unseen.delete(projectId)
    offer(
      path,
      names.length === 1
        ? t`${{ fileName: name }} added`
        : plural({ count: names.length }, { one: '# file added', other: '# files added' }),
    )
  }

  return {
    pending,
    add({ projectId, files, upload, offer }) {
      for (const file of files) {
        const { name } = file
        const key = crypto.randomUUID()
        pending.setState([...pending.getState(), { key, projectId, name, progress: 0 }])
        waiting.push(async () => {
          try {
            const { id } = await upload(file, (progress) => change(key, progress), signal)
            await updateProject(queryClient, projectId, { add_files: [id] })
            change(key, undefined)
            report(projectId, name, offer)
          } catch (error) {
            change(key, undefined)
            if (!signal.aborted)
              showToast('error', t`${{ fileName: name }} was not added`, {
                description: getErrorMessage(error),
              })
          }
        })
        startNext()
      }
    },
    close() {
      waiting.length = 0
      pending.setState([])
      controller.abort()
      removeEventListener('beforeunload', warn)
    },
  }
}
