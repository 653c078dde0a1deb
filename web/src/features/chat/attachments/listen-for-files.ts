import { t } from '@lingui/core/macro'
import { showToast } from '../../../components/ui/toast.ts'
import { extractFiles, findFileItems, isCovered, isFolder } from './transferred-files.ts'
import { loadFolderCode } from './load-folder-code.ts'

/** What is called when files are dragged over the page, or dropped on it. */
interface FileTarget {
  onFiles: (files: readonly File[]) => void
  /** whether files are being dragged over the page */
  setDragging: (isDragging: boolean) => void
}

/** Listens for files that are dropped, until the returned function is called. */
export function listenForFiles({ onFiles, setDragging }: FileTarget): () => void {
  // enter and leave fire for every element, and the next one is entered before the last one is left. They are not counted: an element that is
  // removed under the pointer is never left
  let entered: EventTarget | null = null
  const endDrag = () => {
    entered = null
    setDragging(false)
  }
  const enter = (event: DragEvent) => {
    if (!hasFiles(event.dataTransfer) || isCovered()) return
    entered = event.target
    setDragging(true)
  }
  const leave = (event: DragEvent) => {
    if (hasFiles(event.dataTransfer) && event.target === entered) endDrag()
  }
  const hover = (event: DragEvent) => {
    // otherwise the browser navigates to the file
    if (hasFiles(event.dataTransfer)) event.preventDefault()
  }
  const drop = (event: DragEvent) => {
    if (!hasFiles(event.dataTransfer)) return
    event.preventDefault()
    endDrag()
    if (!isCovered()) attachDrop(event.dataTransfer, onFiles)
  }
  // a drag of something in the page, such as a picture, may have files and end anywhere
  const listeners = { dragenter: enter, dragleave: leave, dragover: hover, dragend: endDrag, drop }
  const controller = new AbortController()
  const { signal } = controller
  for (const [type, listener] of Object.entries(listeners))
    document.addEventListener(type, listener as EventListener, { signal })
  return () => controller.abort()
}

/** Attaches the files and folders of a drop, and says if it had anything else. */
function attachDrop(data: DataTransfer | null, onFiles: FileTarget['onFiles']): void {
  const files = extractFiles(data)
  // read now, because the browser empties the list after the event
  const folders = findFileItems(data)
    .filter(isFolder)
    .flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (files.length > 0) onFiles(files)
  if (folders.length > 0) void loadFolderCode().then((code) => code?.attachDroppedFolders(folders, onFiles))
  if (files.length + folders.length < countItems(data)) reportNoFile()
}

const hasFiles = (data: DataTransfer | null) => data?.types.includes('Files') ?? false

/** Counts what was dropped. A browser without a list of items has dropped something, too. */
const countItems = (data: DataTransfer | null) => findFileItems(data).length || 1

/** Says that a drop had something else than readable files and folders, of which nothing is attached. */
const reportNoFile = () =>
  showToast('warning', t`Something you dropped is not a file that can be read`, {
    id: 'drop-refused',
    description: t`Save it as a file and attach that.`,
  })
