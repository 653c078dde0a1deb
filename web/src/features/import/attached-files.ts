import { maxFileBytes } from '#shared/limits.ts'
import { fileIdPattern } from './export-file-kinds.ts'
import { readJson, readWhole, type ExportFile, type ExportFiles } from './export-files.ts'
import type { FileReference } from './build-conversation.ts'
import { toBaseName, toFields, toText } from './read-values.ts'

/** The names of files in an export of this product begin with the first part of their id. */
const ownIdPattern = /^([0-9a-f]{8}) (?=.)/
/** Recordings of voice conversations, which are left out without a note: their transcripts are imported. */
const recordingPattern = /\.(?:wav|mp3|m4a)$/i

/** The files of an export that messages and projects name, by id and by name. */
export interface AttachedFiles {
  /** Marks that a message or project names these files, whether they are read or not. */
  markUsed: (files: readonly FileReference[]) => void
  /** The names of the files that no message or project names. */
  listUnused: () => string[]
  /** @returns undefined if the export does not have the file, or it is too large */
  read: (id: string, name: string) => Promise<{ name: string; blob: Blob } | undefined>
}

/** Finds the files of an export by their ids and names. A file is read when it is asked for. */
export async function openAttachedFiles({ file: files, fileNames }: ExportFiles): Promise<AttachedFiles> {
  const byKey = new Map<string, ExportFile>()
  for (const file of files) for (const key of listKeys(file.path)) if (!byKey.has(key)) byKey.set(key, file)
  /** real names by stored ones: ChatGPT calls each file `file-<id>.dat` since May 2026, and this product renames files that Windows refuses */
  const names = new Map<string, string>()
  for (const list of fileNames)
    for (const [stored, name] of Object.entries(toFields(await readJson(list))))
      names.set(stored, toBaseName(toText(name)))
  const find = (id: string, name: string) =>
    byKey.get(id) ?? byKey.get(`own ${id.slice(0, 8)}`) ?? (name === '' ? undefined : byKey.get(name))
  const used = new Set<ExportFile>()
  const toName = (file: ExportFile) => {
    const stored = toBaseName(file.path)
    // without `.dat` the service adds the extension that fits the content
    return names.get(stored) || stored.replace(/\.dat$/, '').replace(ownIdPattern, '')
  }
  return {
    markUsed(references) {
      for (const { id, name } of references) {
        const file = find(id, name)
        if (file) used.add(file)
      }
    },
    listUnused: () =>
      files.flatMap((file) => (used.has(file) || recordingPattern.test(file.path) ? [] : [toName(file)])),
    async read(id, name) {
      const file = find(id, name)
      const blob = file && (await readWhole(file.open, maxFileBytes).catch(() => undefined))
      return blob && { name: name || toName(file), blob }
    },
  }
}

/** The keys by which a file may be named: the id at the start of its name, its name, the name of its folder. */
function listKeys(path: string): string[] {
  const name = toBaseName(path)
  const ownFileId = ownIdPattern.exec(name)?.[1] ?? ''
  const folder = path.split('/').at(-2)
  return [
    fileIdPattern.exec(name)?.[0],
    name,
    folder,
    name.replace(/\.[^.]*$/, ''),
    ownFileId === '' ? '' : `own ${ownFileId}`,
  ].flatMap((key) => key || [])
}
