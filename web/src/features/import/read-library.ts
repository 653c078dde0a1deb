import { fileKind, getTypeByExtension, isDocument } from '#shared/file-kinds.ts'
import { maxProjectFiles, maxProjectInstructionCharacters } from '#shared/limits.ts'
import { truncate } from '#shared/truncate.ts'
import type { FileReference } from './build-conversation.ts'
import type { LeftOutCounter } from './left-out.ts'
import { toFields, toList, toLibraryId, toText, toTextFileName, type Fields } from './read-values.ts'

/** A project of an export, with its files not read yet. */
export interface ExportedProject {
  /** the same in each export */
  readonly id: string
  readonly name: string
  readonly instructions: string
  readonly files: readonly FileReference[]
}

/** What an export has beside its conversations. */
export interface ExportLibrary {
  projects: ExportedProject[]
  prompts: { id: string; name: string; text: string; projectId: string | undefined }[]
  memories: string[]
  /** what the person wants of every reply */
  instructions: string
}

/** Reads projects of Claude (a file for each, or one list), or of this product. */
export function readProjects(json: unknown, leftOut: LeftOutCounter): ExportedProject[] {
  const list = Array.isArray(json) ? json : [json]
  return list.map(toFields).flatMap((project) => {
    // what Claude shows to beginners
    if (project['is_starter_project'] === true) return []
    const id = toLibraryId(project['uuid'] ?? project['id'])
    const name = toText(project['name']).trim()
    if (id === '') return []
    const instructions = toText(project['instructions']) || toText(project['prompt_template'])
    const files = [
      ...toList(project['docs']).flatMap((document, index) =>
        toDocument(toFields(document), `${id} ${index}`),
      ),
      ...toList(project['file_ids']).flatMap((file) =>
        typeof file === 'string' ? [{ id: file, name: '' }] : [],
      ),
    ]
    // too long for the service: the whole text becomes a file, so that nothing is lost
    if (instructions.length > maxProjectInstructionCharacters)
      files.unshift({ id: `instructions-${id}`, name: 'instructions.md', text: instructions })
    if (toText(project['description']).trim() !== '') leftOut.add('projectDescriptions', { name })
    if (['model', 'effort', 'disabled_tools'].some((field) => project[field] !== undefined))
      leftOut.add('projectChoices', { name })
    leftOut.add('projectFiles', { count: files.length - maxProjectFiles, name })
    return [
      {
        id,
        name,
        instructions: truncate(instructions, maxProjectInstructionCharacters).trim(),
        files: files.slice(0, maxProjectFiles),
      },
    ]
  })
}

/** @param fallbackId tells documents without an id apart */
function toDocument(document: Fields, fallbackId: string): FileReference[] {
  const text = toText(document['content'])
  const name = toText(document['filename']) || toText(document['file_name'])
  if (text === '') return []
  return [
    {
      id: `document-${toText(document['uuid']) || fallbackId}`,
      name: isNameOfText(name) ? name : toTextFileName(name),
      text,
    },
  ]
}

/** Whether a file of this name is read as text. One of another kind would be read as what its name says. */
function isNameOfText(name: string): boolean {
  const file = { name, type: '' }
  if (isDocument(file)) return /^(?:text\/|application\/(?:json|xml)$)/.test(getTypeByExtension(name) ?? '')
  return /\.[A-Za-z0-9]{1,12}$/.test(name) && fileKind(file) === 'other'
}

/** The saved prompts of this product's export; those without text are left out. */
export const readPrompts = (json: unknown): ExportLibrary['prompts'] =>
  toList(json)
    .map(toFields)
    .flatMap(({ id, name, text, project_id }) =>
      toText(text).trim() === ''
        ? []
        : [
            {
              id: toLibraryId(id),
              name: toText(name),
              text: toText(text),
              projectId: toLibraryId(project_id) || undefined,
            },
          ],
    )

/** Reads what this product remembers of a person; others have a text of another form, which is only counted. */
export function readMemories(json: unknown, leftOut: LeftOutCounter): string[] {
  const entries = Array.isArray(json) ? json : [json]
  return entries.map(toFields).flatMap(({ text }) => {
    if (typeof text === 'string') return text.trim() === '' ? [] : [text.trim()]
    leftOut.add('sourceMemories')
    return []
  })
}

/** The custom instructions in this product's `account.json`. */
export const readInstructions = (json: unknown): string =>
  toText(toFields(toFields(json)['settings'])['instructions']).trim()
