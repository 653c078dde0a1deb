/** A file that was chosen, with its path in the folder that was dropped, or its name. */
export interface ChosenFile {
  readonly file: File
  readonly path: string
}

/** Some browsers unpack a downloaded archive, and people then drop its folder. No export has more files, and each takes memory. */
export const maxExportFiles = 200_000

/** The files of a file field, or files that were dropped without a folder. */
export const toChosenFiles = (files: Iterable<File>): ChosenFile[] =>
  Array.from(files, (file) => ({ file, path: file.name }))

/** The files that were dropped, those in folders included, up to `maxExportFiles`. A file that cannot be read is left out. */
export async function listDropped({
  items,
  files,
}: Pick<DataTransfer, 'items' | 'files'>): Promise<ChosenFile[]> {
  // read before anything is awaited: the browser empties the list after the event
  const entries = Array.from(items, (item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null))
  const dropped = toChosenFiles(files)
  if (!entries.some((entry) => entry?.isDirectory)) return dropped
  const droppedFiles: ChosenFile[] = []
  const pending = entries.filter((entry) => entry !== null).reverse()
  for (let entry = pending.pop(); entry && droppedFiles.length < maxExportFiles; entry = pending.pop())
    if (isFolder(entry)) pending.push(...(await readFolder(entry)))
    // what is no folder is a file
    else droppedFiles.push(...(await readFile(entry as FileSystemFileEntry)))
  return droppedFiles
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

const readFile = (entry: FileSystemFileEntry): Promise<ChosenFile[]> =>
  new Promise((resolve) =>
    entry.file(
      (file) => resolve([{ file, path: entry.fullPath }]),
      () => resolve([]),
    ),
  )

/** A folder gives its entries in parts. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const entries: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    )
    if (part.length === 0) return entries
    for (const entry of part) entries.push(entry)
  }
}
