import { plural, t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import type { Attachment } from '#shared/contracts/files.ts'
import { showToast } from '../../components/ui/toast.ts'
import { announce } from '../../lib/browser/announce.ts'
import { createStore, type Store } from '../../lib/browser/create-store.ts'
import { updateProject } from '../../lib/queries/project-queries.ts'
import { projectPath } from '../../lib/navigation/paths.ts'

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

/** The files that a user adds to projects. Their uploads go on while other pages are shown. */
export interface ProjectUploads {
  readonly pending: Store<readonly PendingUpload[]>
  add: (addition: Addition) => void
  /** Gives up the uploads. */
  close: () => void
}

/** Files that are sent at once, so that they share the connection with the rest of the page. The others wait. */
const maxUploads = 3

/** Until the uploads end, the browser asks before it leaves the product. */
export function createProjectUploads(queryClient: QueryClient): ProjectUploads {
  const pending = createStore<readonly PendingUpload[]>([])
  const controller = new AbortController()
  const { signal } = controller
  const queue = createTaskQueue(maxUploads)
  /** names of files that were added while another page was shown, by project */
  const unseen = new Map<string, string[]>()

  const warn = (event: BeforeUnloadEvent) => {
    if (pending.getState().length > 0) event.preventDefault()
  }
  addEventListener('beforeunload', warn)

  const showProgress = (key: string, progress: number) =>
    pending.setState(pending.getState().map((each) => (each.key === key ? { ...each, progress } : each)))
  const forget = (key: string) => pending.setState(pending.getState().filter((each) => each.key !== key))

  const isShown = (projectId: string) => location.pathname === projectPath(projectId)

  /** Announces an added file on the page of the project; elsewhere it is noted for the toast. */
  const reportAdded = (projectId: string, name: string) => {
    if (isShown(projectId)) announce(t`${{ fileName: name }} added`)
    else unseen.set(projectId, [...(unseen.get(projectId) ?? []), name])
  }

  /** After the last upload, one toast names what was added while another page was shown, unless the user has come back. */
  const reportUnseen = (projectId: string, offer: Addition['offer']) => {
    if (isShown(projectId)) unseen.delete(projectId)
    const [name = '', ...others] = unseen.get(projectId) ?? []
    if (name === '' || pending.getState().some((each) => each.projectId === projectId)) return
    unseen.delete(projectId)
    const count = 1 + others.length
    offer(
      projectPath(projectId),
      count === 1
        ? t`${{ fileName: name }} added`
        : plural({ count }, { one: '# file added', other: '# files added' }),
    )
  }

  const addFile = async (key: string, file: File, { projectId, upload, offer }: Addition) => {
    const { name } = file
    try {
      const { id } = await upload(file, (progress) => showProgress(key, progress), signal)
      await updateProject(queryClient, projectId, { add_files: [id] })
      // signed out meanwhile: the name is not for whoever sits at the screen now
      signal.throwIfAborted()
      forget(key)
      reportAdded(projectId, name)
    } catch (error) {
      forget(key)
      if (!signal.aborted) showToast('error', t`${{ fileName: name }} was not added`, { error })
    }
    reportUnseen(projectId, offer)
  }

  return {
    pending,
    add(addition) {
      for (const file of addition.files) {
        const key = crypto.randomUUID()
        const { projectId } = addition
        pending.setState([...pending.getState(), { key, projectId, name: file.name, progress: 0 }])
        queue.add(() => addFile(key, file, addition))
      }
    },
    close() {
      queue.clear()
      pending.setState([])
      controller.abort()
      removeEventListener('beforeunload', warn)
    },
  }
}

/** Runs tasks in their order, a limited number at once. */
interface TaskQueue {
  /** @param task must not reject */
  add: (task: () => Promise<void>) => void
  /** Forgets the tasks that have not begun. */
  clear: () => void
}

/** @param maxRunning how many tasks run at once */
function createTaskQueue(maxRunning: number): TaskQueue {
  const waiting: (() => Promise<void>)[] = []
  let running = 0
  const startNext = () => {
    const next = running < maxRunning ? waiting.shift() : undefined
    if (!next) return
    running += 1
    void next().finally(() => {
      running -= 1
      startNext()
    })
  }
  return {
    add(task) {
      waiting.push(task)
      startNext()
    },
    clear() {
      waiting.length = 0
    },
  }
}
