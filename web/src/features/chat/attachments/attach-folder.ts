import { plural, t } from '@lingui/core/macro'
import { showToast } from '../../../components/ui/toast.ts'

interface FolderFile {
  /** below the folder, with its name */
  path: string
  file: File
}

/** Folders can have any number of files, of which a message takes few. */
const maxFiles = 1_000

const isHidden = ({ path }: Pick<FolderFile, 'path'>) => path.split('/').some((part) => part.startsWith('.'))

/** Attaches what a folder has, in order of the paths, without hidden files. A toast says what was left out. */
export function attachFolder(
  found: readonly FolderFile[],
  onFiles: (files: readonly File[]) => void,
  isCut = false,
): void {
  const visible = found
    .filter((each) => !isHidden(each))
    .toSorted((one, other) => one.path.localeCompare(other.path, undefined, { numeric: true }))
  const hidden = found.length - visible.length
  const notes = [
    ...(visible.length === 0 ? [t`The folder has no files to attach.`] : []),
    ...(hidden > 0
      ? [
          plural(
            { count: hidden },
            { one: '# hidden file was left out.', other: '# hidden files were left out.' },
          ),
        ]
      : []),
    ...(isCut
      ? [
          plural(
            { max: maxFiles },
            {
              one: 'Only # file of it was looked at. Open it and choose the files that matter.',
              other: 'Only # files of it were looked at. Open it and choose the files that matter.',
            },
          ),
        ]
      : []),
  ]
  if (notes.length > 0) showToast('info', t`Folder`, { id: 'folder', description: notes.join(' ') })
  if (visible.length > 0) onFiles(visible.map(({ file }) => file))
}

const readFile = (entry: FileSystemFileEntry) => new Promise<File>((...settle) => entry.file(...settle))
const readBatch = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((...settle) => reader.readEntries(...settle))

/** Attaches the files of dropped folders. */
export async function attachDroppedFolders(
  folders: readonly FileSystemEntry[],
  onFiles: (files: readonly File[]) => void,
): Promise<void> {
  const files: FolderFile[] = []
  const waiting = [...folders]
  try {
    let lookedAt = 0
    for (; waiting.length > 0 && lookedAt < maxFiles; lookedAt += 1) {
      const [entry] = waiting.splice(0, 1)
      const path = entry?.fullPath.replace(/^\//, '') ?? ''
      if (entry?.isFile) files.push({ path, file: await readFile(entry as FileSystemFileEntry) })
      // what a hidden folder has is not looked at
      if (!entry?.isDirectory || isHidden({ path })) continue
      const reader = (entry as FileSystemDirectoryEntry).createReader()
      // the browser gives some at a time, and none at the end
      for (let batch = await readBatch(reader); batch.length > 0; batch = await readBatch(reader)) {
        waiting.push(...batch)
        if (waiting.length >= maxFiles) break
      }
    }
    attachFolder(files, onFiles, waiting.length > 0)
  } catch {
    showToast('error', t`The folder could not be read`, {
      id: 'folder',
      description: t`Open the folder and choose its files.`,
    })
  }
}
