import { maxFileBytes } from '#shared/limits.ts'
import { fileId, readJson, readWhole, type ExportFile, type ExportFiles } from './export-files.ts'
import type { FileReference } from './build-conversation.ts'
import { toBaseName, toFields, toText } from './read-values.ts'

const maxFileNamesBytes = 64 * 1024 ** 2
/** Files of this product's own export begin with the start of their id. */
const ownId = /^([0-9a-f]{8}) (?=.)/
const recording = /\.(?:wav|mp3|m4a)$/i

/** The files of an export that messages and projects name, by id and by name. */
export interface AttachedFiles {
  /** notes that something has named the files, whether they are read or not */
  markUsed: (files: readonly FileReference[]) => void
  /** of those that nothing has named */
  listUnused: () => string[]
  /** undefined if the export does not have it, or it is too large */
  read: (id: string, name: string) => Promise<{ name: string; blob: Blob } | undefined>
}

/** Finds the files of an export by their ids and names. A file is read when it is asked for. */
export async function openAttachedFiles({ file: files, fileNames }: ExportFiles): Promise<AttachedFiles> {
  const byKey = new Map<string, ExportFile>()
  for (const file of files) for (const key of listKeys(file.path)) if (!byKey.has(key)) byKey.set(key, file)
  /** names of files of ChatGPT since May 2026, where each is called `file-<id>.dat`, and own ones that Windows refuses */
  const names = new Map<string, string>()
  for (const list of fileNames)
    for (const [stored, name] of Object.entries(toFields(await readJson(list, maxFileNamesBytes))))
      names.set(stored, toBaseName(toText(name)))
  const find = (id: string, name: string) =>
    byKey.get(id) ?? byKey.get(`own ${id.slice(0, 8)}`) ?? (name === '' ? undefined : byKey.get(name))
  const used = new Set<ExportFile>()
  const toName = (file: ExportFile) => {
    const stored = toBaseName(file.path)
    // without `.dat` the service adds the extension that fits the content
    return names.get(stored) || stored.replace(/\.dat$/, '').replace(ownId, '')
  }
  return {
    markUsed(references) {
      for (const { id, name } of references) {
        const file = find(id, name)
        if (file) used.add(file)
      }
    },
    listUnused: () =>
      files.flatMap((file) => (used.has(file) || recording.test(file.path) ? [] : [toName(file)])),
    async read(id, name) {
      const file = find(id, name)
      const blob = file && (await readWhole(file.open, maxFileBytes).catch(() => undefined))
      return blob && { name: name || toName(file), blob }
    },
  }
}

/** The id at the start of its name, its name, the id of its folder. */
function listKeys(path: string): string[] {
  const name = toBaseName(path)
  const ownFileId = ownId.exec(name)?.[1] ?? ''
  const folder = path.split('/').at(-2)
  return [
    fileId.exec(name)?.[0],
    name,
    folder,
    name.replace(/\.[^.]*$/, ''),
    ownFileId === '' ? '' : `own ${ownFileId}`,
  ].flatMap((key) => key || [])
}
