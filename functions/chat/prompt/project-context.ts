import type { Attachment } from '#shared/contracts/files.ts'
import { maxExtractedCharacters } from '../../platform/limits.ts'
import { textKey, toAttachment, type MessageFileDeps } from '../../files/file-links.ts'
import type { StoredFile } from '../../files/file-row.ts'
import type { ObjectStore } from '../../platform/s3/object-store.ts'
import { findProjectFiles } from '../../projects/project-files.ts'
import type { ProjectRepository } from '../../projects/project-repository.ts'
import type { ModelMessage } from '../model/model.ts'
import { explainNoText, hasText, renderTag, textGone } from './attachment-context.ts'

/** What the prompt has of the conversation's project. */
export interface ProjectContext {
  name: string
  instructions: string
  /** its files, each with its text or with what became of it; undefined without files */
  fileText: string | undefined
  files: readonly Attachment[]
  /** whether texts are left out for their length, so that they have to be searched */
  isCut: boolean
}

/** Texts read at once. */
const readsAtOnce = 6
/** UTF-8 takes at most this for a UTF-16 code unit. */
const bytesPerCharacter = 3

/** The text of a document if it is not longer than `maxCharacters`; null if it is not stored any more. */
async function readShortText(
  store: ObjectStore,
  sub: string,
  { id, extracted_text: beginning = '' }: StoredFile,
  maxCharacters: number,
): Promise<string | null | undefined> {
  // the row has the whole of a short text
  if (beginning !== '' && beginning.length < maxExtractedCharacters)
    return beginning.length <= maxCharacters ? beginning : undefined
  const maxBytes = Math.floor(maxCharacters) * bytesPerCharacter
  const read = await store.readBeginning(textKey(sub, id), maxBytes + 1)
  if (!read) return null
  if (read.bytes.length > maxBytes) return undefined
  const text = new TextDecoder().decode(read.bytes)
  return text.length <= maxCharacters ? text : undefined
}

/** Texts that fit together, by file id: each whole, the oldest first; null for one that is not stored any more. */
async function readTexts(
  store: ObjectStore,
  sub: string,
  documents: readonly StoredFile[],
  maxCharacters: number,
): Promise<Map<string, string | null>> {
  const texts = new Map<string, string | null>()
  let charactersLeft = maxCharacters
  for (let at = 0; at < documents.length && charactersLeft >= 1; at += readsAtOnce) {
    const batch = documents.slice(at, at + readsAtOnce)
    const read = await Promise.all(batch.map((file) => readShortText(store, sub, file, charactersLeft)))
    for (const [index, { id }] of batch.entries()) {
      const text = read[index]
      const length = text?.length ?? 0
      if (text === undefined || length > charactersLeft) continue
      texts.set(id, text)
      charactersLeft -= length
    }
  }
  return texts
}

/**
 * Loads what a prompt has of a project. A project that was deleted meanwhile counts as none.
 * @param maxCharacters for the texts of its files
 * @throws ObjectStoreUnavailable
 */
export async function loadProjectContext(
  {
    projects,
    fileDeps: { files, store },
  }: { projects: Pick<ProjectRepository, 'find'>; fileDeps: MessageFileDeps },
  sub: string,
  projectId: string | undefined,
  maxCharacters: number,
): Promise<ProjectContext | undefined> {
  const project = projectId === undefined ? undefined : await projects.find(sub, projectId)
  if (!project) return undefined
  const found = await findProjectFiles(files, sub, project)
  const documents = found.filter(hasText)
  const texts = await readTexts(store, sub, documents, maxCharacters)
  const render = (file: StoredFile) => {
    const text = texts.get(file.id)
    if (!hasText(file)) return renderTag(file, explainNoText(file))
    if (text === null) return renderTag(file, textGone)
    if (text === undefined)
      return renderTag(file, 'left out here for its length: find what you need with search_files')
    return renderTag(file, file.reading?.note ?? '', text)
  }
  return {
    name: project.name,
    instructions: project.instructions,
    fileText: found.length === 0 ? undefined : found.map(render).join('\n\n'),
    files: found.map((file) => toAttachment(sub, file)),
    isCut: texts.size < documents.length,
  }
}

/** Puts the files before the conversation: they are the user's, not the product's, and stay the same from turn to turn. */
export function addProjectFiles(
  [system, ...messages]: ModelMessage[],
  project: ProjectContext | undefined,
): ModelMessage[] {
  if (!system || project?.fileText === undefined) return system ? [system, ...messages] : messages
  return [
    system,
    { role: 'user', content: `The files of the project:\n\n${project.fileText}` },
    { role: 'assistant', content: 'I have the files of the project.' },
    ...messages,
  ]
}
