import type { Attachment } from '#shared/contracts/files.ts'
import { toAttachment, type ReadingFileDeps } from '../../files/file-links.ts'
import type { StoredFile } from '../../files/file-row.ts'
import type { ObjectStore } from '../../platform/s3/object-store.ts'
import { findProjectFiles } from '../../projects/project-files.ts'
import type { ProjectRepository } from '../../projects/project-repository.ts'
import type { ContentPart, ModelMessage } from '../../models/model.ts'
import { joinParts, renderTag } from './attachment-tags.ts'
import { toFileUse, type FileUse } from './render-attachment.ts'
import {
  describeGiven,
  explainNoText,
  hasText,
  planBytes,
  readPlanned,
  type GivenText,
  type ReadDocument,
} from './document-text.ts'
import type { FileSize } from './choose-cut.ts'
import { findReadFiles } from './find-read-files.ts'
import { planPages, readPages, showPages, type PageRoom } from './shown-pages.ts'
import { countTableBytes, describeTables, nameTables } from './table-context.ts'

/** What the prompt has of the conversation's project. */
export interface ProjectContext {
  name: string
  instructions: string
  /** the assistant of somebody else that wrote the instructions, which the user has not saved yet */
  copiedFrom?: string | undefined
  /** its files, each with its text or with what became of it; undefined without files */
  fileText: string | undefined
  /** pages of them that their texts do not show */
  pages: readonly ContentPart[]
  files: readonly Attachment[]
  /** the same as they are stored */
  storedFiles: readonly StoredFile[]
  /** what they take of the room for files */
  size: FileSize
  /** how much of each document the model gets */
  uses: readonly FileUse[]
}

/** Texts read at once. */
const readsAtOnce = 6

/** Texts by file id, short ones first: each whole if it fits. @returns also how many bytes they have */
async function readTexts(
  store: ObjectStore,
  sub: string,
  documents: readonly ReadDocument[],
  maxBytes: number,
): Promise<{ texts: Map<string, GivenText>; bytes: number }> {
  const texts = new Map<string, GivenText>()
  let bytesLeft = maxBytes
  const planned = documents
    .toSorted((a, b) => a.text.bytes - b.text.bytes)
    .map((file) => {
      const bytes = planBytes(file, bytesLeft)
      bytesLeft -= bytes
      return { file, bytes }
    })
  for (let at = 0; at < planned.length; at += readsAtOnce)
    await Promise.all(
      planned.slice(at, at + readsAtOnce).map(async ({ file, bytes }) => {
        if (bytes > 0) texts.set(file.id, await readPlanned(store, sub, file, bytes))
      }),
    )
  return { texts, bytes: maxBytes - bytesLeft }
}

/** Pages that texts do not show, of one file after another while the room lasts. */
async function loadPages(
  store: ObjectStore,
  sub: string,
  files: readonly StoredFile[],
  { documentBytes, pages }: { documentBytes: number; pages: PageRoom },
): Promise<{ notes: Map<string, string>; parts: ContentPart[]; size: FileSize }> {
  const room = { ...pages }
  let bytesLeft = documentBytes
  const notes = new Map<string, string>()
  const parts: ContentPart[] = []
  for (const file of files) {
    const plan = planPages(file, room, bytesLeft)
    if (plan.bytes === 0) continue
    bytesLeft -= plan.bytes
    const shown = showPages(file, await readPages(store, sub, file, plan), (note) => renderTag(file, note))
    if (shown.note !== '') notes.set(file.id, shown.note)
    parts.push(...shown.parts)
  }
  const size = {
    documentBytes: documentBytes - bytesLeft,
    images: 0,
    pictures: pages.pictures - room.pictures,
    pdfPages: pages.pdfPages - room.pdfPages,
    pdfBytes: pages.pdfBytes - room.pdfBytes,
  }
  return { notes, parts, size }
}

/**
 * Loads what a prompt has of a project. A project that was deleted meanwhile counts as none.
 * @param room for the texts of its files, in bytes, and for pages that texts do not show
 * @throws ObjectStoreUnavailable
 */
export async function loadProjectContext(
  { projects, fileDeps }: { projects: Pick<ProjectRepository, 'find'>; fileDeps: ReadingFileDeps },
  sub: string,
  projectId: string | undefined,
  room: { documentBytes: number; pages: PageRoom },
): Promise<ProjectContext | undefined> {
  const project = projectId === undefined ? undefined : await projects.find(sub, projectId)
  if (!project) return undefined
  const found = await findProjectFiles(
    { findMany: (...ids) => findReadFiles(fileDeps, ...ids) },
    sub,
    project,
  )
  const tableBytes = countTableBytes(found)
  const { texts, bytes } = await readTexts(
    fileDeps.store,
    sub,
    found.filter(hasText),
    Math.max(0, room.documentBytes - tableBytes),
  )
  const tables = describeTables(nameTables(found), (id) => texts.get(id)?.isWhole !== true)
  const shown = await loadPages(fileDeps.store, sub, found, {
    ...room,
    documentBytes: Math.max(0, room.documentBytes - tableBytes - bytes),
  })
  const render = (file: StoredFile) => {
    const pages = shown.notes.get(file.id)
    if (!hasText(file)) return renderTag(file, pages ?? explainNoText(file).text)
    const given = texts.get(file.id)
    const note = pages === undefined ? describeGiven(file, given) : `${describeGiven(file, given)}; ${pages}`
    return renderTag(file, note, joinParts([tables.get(file.id), given?.text]))
  }
  return {
    name: project.name,
    instructions: project.instructions,
    copiedFrom: project.copied_from,
    fileText: found.length === 0 ? undefined : found.map(render).join('\n\n'),
    files: found.map((file) => toAttachment(sub, file)),
    storedFiles: found,
    pages: shown.parts,
    size: { ...shown.size, documentBytes: bytes + tableBytes + shown.size.documentBytes },
    uses: found.filter(hasText).map((file) => toFileUse(file, texts.get(file.id)?.text?.length ?? 0)),
  }
}

/** Puts the files before the conversation: they are the user's, not the product's, and stay the same from turn to turn. */
export function addProjectFiles(
  [system, ...messages]: ModelMessage[],
  project: ProjectContext | undefined,
  of = 'the project',
): ModelMessage[] {
  if (!system || project?.fileText === undefined) return system ? [system, ...messages] : messages
  const text = `The files of ${of}:\n\n${project.fileText}`
  return [
    system,
    {
      role: 'user',
      content: project.pages.length === 0 ? text : [{ type: 'text', text }, ...project.pages],
    },
    { role: 'assistant', content: `I have the files of ${of}.` },
    ...messages,
  ]
}
