import type { Project } from '#shared/contracts/projects.ts'
import { expiryOfTemporary, type BaseFileRepository } from '../files/base-file-repository.ts'
import { indexKey, originalKey, textKey, vectorsKey } from '../files/file-links.ts'
import type { FileRepository } from '../files/file-repository.ts'
import type { StoredFile } from '../files/file-row.ts'
import { maxPrompts } from '../platform/limits.ts'
import { copyObject } from '../platform/s3/object-writer.ts'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import { changeProject, openProject } from '../projects/project-files.ts'
import { TooManyPrompts } from '../projects/errors.ts'
import type { ProjectRepository } from '../projects/project-repository.ts'
import type { PromptRepository } from '../projects/prompt-repository.ts'
import type { AssistantHead, AssistantReader, Member, PublishedFile } from './assistant-reader.ts'
import { AssistantNotFound, CopyNotAllowed } from './errors.ts'
import { publishedKey, toObjectName } from './published-files.ts'

interface CopyDeps {
  assistants: Pick<AssistantReader, 'find' | 'loadVersion'>
  projects: ProjectRepository
  prompts: Pick<PromptRepository, 'add' | 'list'>
  files: FileRepository & Pick<BaseFileRepository, 'put'>
  store: ObjectStore
  /** counts the copy and its new files; throws if it is one too many, or if the user may not store them */
  admit: (fileCount: number) => Promise<void>
}

const textType = 'text/plain; charset=utf-8'

/**
 * Makes a project of the user from the newest version of an assistant: its name, instructions, model and tools, and the text of each file
 * as a text file of the user's own, and its saved prompts. What fails halfway leaves temporary files, which expire.
 * @param id of the new project; with one that exists nothing is copied
 * @throws AssistantNotFound, CopyNotAllowed, NotAllowedByGroup, TooManyCopiesToday, TooManyUploads, TooManyProjects, TooManyPrompts, StorageFull
 */
export async function copyAssistant(
  { assistants, projects, prompts, files, store, admit }: CopyDeps,
  user: Member,
  { assistantId, id }: { assistantId: string; id: string | undefined },
): Promise<Project> {
  const { sub } = user
  const head = await assistants.find(user, assistantId)
  if (!head) throw new AssistantNotFound(`no assistant ${assistantId} for the caller`)
  if (!head.may_copy && head.publisher !== sub) throw new CopyNotAllowed(`${assistantId} may not be copied`)
  const known = id === undefined ? undefined : await projects.find(sub, id)
  if (known) return openProject(files, sub, known)
  const version = await assistants.loadVersion(assistantId, head.version)
  if (!version) throw new AssistantNotFound(`version ${head.version} of ${assistantId} is gone`)
  const { prompts: saved = [] } = version
  if (saved.length > 0 && (await prompts.list(sub)).length + saved.length > maxPrompts)
    throw new TooManyPrompts(`no room for ${saved.length} prompts`)
  await admit(version.files.filter(({ text }) => text).length)
  const copies: string[] = []
  for (const file of version.files) {
    const copied = await copyText({ files, store }, { sub, head }, file)
    if (copied !== undefined) copies.push(copied)
  }
  const { name, model, effort, disabled_tools } = head
  // what its publisher has copied and not saved is of somebody else, too
  const toSource = (copiedFrom: string | undefined) => (head.publisher === sub ? copiedFrom : name)
  const project = await projects.create(sub, {
    id,
    name,
    instructions: version.instructions,
    copied_from: toSource(head.copied_from),
    model,
    effort,
    disabled_tools,
  })
  // the project is there: prompts for which there is no room any more do not take it away
  for (const { name: title, text, copied_from } of saved)
    await prompts
      .add(sub, { name: title, text, project_id: project.id, copied_from: toSource(copied_from) })
      .catch((error: unknown) => {
        if (!(error instanceof TooManyPrompts)) throw error
      })
  if (copies.length === 0) return openProject(files, sub, project)
  return changeProject({ projects, files }, sub, project.id, { add_files: copies })
}

/** @returns the id of a text file of the user; undefined for a file without text */
async function copyText(
  { files, store }: Pick<CopyDeps, 'files' | 'store'>,
  { sub, head }: { sub: string; head: AssistantHead },
  file: PublishedFile,
): Promise<string | undefined> {
  const { text, reading, extracted_text, reader_version, text_length, vectors_model } = file
  if (!text) return undefined
  const id = crypto.randomUUID()
  const copy: StoredFile = {
    id,
    name: /\.(txt|md)$/i.test(file.name) ? file.name : `${file.name}.txt`,
    type: 'text/plain',
    size: text.bytes,
    state: 'ready',
    created_at: new Date().toISOString(),
    expires_at: expiryOfTemporary(Date.now()),
    text,
    reading,
    extracted_text,
    reader_version,
    text_length,
    vectors_model,
  }
  await files.put(
    sub,
    Object.fromEntries(Object.entries(copy).filter(([, value]) => value !== undefined)) as StoredFile,
  )
  const from = (key: string) => publishedKey(head, file.n, toObjectName(sub, id, key))
  const keys: [from: string, to: string][] = [
    [from(textKey(sub, id)), originalKey(sub, id)],
    ...[textKey, indexKey, vectorsKey].map((toKey): [string, string] => [
      from(toKey(sub, id)),
      toKey(sub, id),
    ]),
  ]
  for (const [source, to] of keys) {
    const beginning = await store.readBeginning(source, 1)
    if (beginning) await copyObject(store, { from: source, etag: beginning.etag, to, type: textType })
  }
  return id
}
