import { plural, t } from '@lingui/core/macro'
import { showToast } from '../../../components/ui/toast.ts'

interface FolderFile {
  /** the path from the folder, which begins with the folder's name */
  path: string
  file: File
}

/** How many files and folders of a drop are read: there may be any number, of which a message takes few. */
const maxEntries = 1_000

const isHidden = ({ path }: Pick<FolderFile, 'path'>) => path.split('/').some((part) => part.startsWith('.'))

/**
 * Attaches the files of a folder in the order of their paths, without hidden files. A toast says what was left out.
 * @param options.isCut whether the folder has more than was read; never one from a file picker, which reads all
 */
export function attachFolder(
  files: readonly FolderFile[],
  onFiles: (files: readonly File[]) => void,
  { isCut = false }: { isCut?: boolean } = {},
): void {
  const visible = files
    .filter((each) => !isHidden(each))
    .toSorted((one, other) => one.path.localeCompare(other.path, undefined, { numeric: true }))
  const hiddenCount = files.length - visible.length
  const notes = [
    ...(visible.length === 0 ? [t`The folder has no files to attach.`] : []),
    ...(hiddenCount > 0
      ? [
          plural(
            { count: hiddenCount },
            { one: '# hidden file was left out.', other: '# hidden files were left out.' },
          ),
        ]
      : []),
    ...(isCut ? [t`Only a part of it was looked at. Open it and choose the files that matter.`] : []),
  ]
  if (notes.length > 0) showToast('info', t`Folder`, { id: 'folder', description: notes.join(' ') })
  if (visible.length > 0) onFiles(visible.map(({ file }) => file))
}

/** Promises of the callbacks that the File and Directory Entries API has. */
const readFile = (entry: FileSystemFileEntry) => new Promise<File>((...settle) => entry.file(...settle))
const readBatch = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((...settle) => reader.readEntries(...settle))

/** Attaches the files of dropped folders, with those of their inner folders, up to `maxEntries`. A toast says if they cannot be read. */
export async function attachDroppedFolders(
  folders: readonly FileSystemEntry[],
  onFiles: (files: readonly File[]) => void,
): Promise<void> {
  const files: FolderFile[] = []
  const waiting = [...folders]
  try {
    for (let count = 0; waiting.length > 0 && count < maxEntries; count += 1) {
      const entry = waiting.shift()
      const path = entry?.fullPath.replace(/^\//, '') ?? ''
      if (entry?.isFile) files.push({ path, file: await readFile(entry as FileSystemFileEntry) })
      // hidden folders are not read
      if (!entry?.isDirectory || isHidden({ path })) continue
      const reader = (entry as FileSystemDirectoryEntry).createReader()
      // the browser returns some entries at a time, and an empty list at the end
      for (let batch = await readBatch(reader); batch.length > 0; batch = await readBatch(reader)) {
        waiting.push(...batch)
        if (waiting.length >= maxEntries) break
      }
    }
    attachFolder(files, onFiles, { isCut: waiting.length > 0 })
  } catch (cause) {
    showToast('error', t`The folder could not be read`, {
      id: 'folder',
      cause,
      description: t`Open the folder and choose its files.`,
    })
  }
}
