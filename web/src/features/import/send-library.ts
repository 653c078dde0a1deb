import { t } from '@lingui/core/macro'
import { maxProjectNameCharacters } from '#shared/limits.ts'
import { truncate } from '#shared/truncate.ts'
import { ApiError } from '../../lib/api/api-errors.ts'
import { callApi } from '../../lib/api/call-api.ts'
import type { Attempts } from './import-attempts.ts'
import type { LeftOutCounter } from './left-out.ts'
import type { ExportedProject, ExportLibrary } from './read-library.ts'
import type { SendOptions } from './send-conversations.ts'

/** Statuses by which the service refuses one thing; with others it takes nothing more. */
const refusals = new Set([400, 404, 409, 413])

/** What became of what an export has beside its conversations. */
export interface LibraryCounts {
  projects: number
  prompts: number
  memories: number
  /** whether custom instructions were taken */
  hasInstructions: boolean
}

interface LibraryOptions extends Pick<SendOptions, 'signal' | 'upload'>, Pick<Attempts, 'callWithRetries'> {
  /** what is taken is added at once, so that it is known if the import ends early */
  counts: LibraryCounts
  leftOut: LeftOutCounter
}

/**
 * Creates projects with their files, saved prompts and memories, each once, and takes the custom instructions: what is here already stays as
 * it is.
 * @throws what `callApi` throws, but for refusals, which are counted
 */
export async function sendLibrary(
  { projects, prompts, memories, instructions }: ExportLibrary,
  options: LibraryOptions,
): Promise<void> {
  if (projects.length > 0) await sendProjects(projects, options)
  if (prompts.length > 0) await sendPrompts(prompts, options)
  if (memories.length > 0) await sendMemories(memories, options)
  if (instructions !== '') await sendInstructions(instructions, options)
}

/** @returns false if the service refuses it, as when there are too many */
async function isAccepted(
  { callWithRetries }: LibraryOptions,
  call: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await callWithRetries(call)
    return true
  } catch (error) {
    if (error instanceof ApiError && refusals.has(error.status)) return false
    throw error
  }
}

async function sendProjects(projects: readonly ExportedProject[], options: LibraryOptions): Promise<void> {
  const { callWithRetries, signal, counts } = options
  const stored = await callWithRetries(() => callApi('projects.list', {}, { signal }))
  const ids = new Set(stored.projects.map(({ id }) => id))
  for (const project of projects) {
    // archives that were chosen together may have the same one
    if (!ids.has(project.id) && (await createProject(project, options))) counts.projects += 1
    ids.add(project.id)
  }
}

/** @returns whether it was created */
async function createProject(
  { id, name, instructions, files }: ExportedProject,
  options: LibraryOptions,
): Promise<boolean> {
  const { signal, upload, leftOut } = options
  const fileIds: string[] = []
  // before the project is created: a project that exists gets no files from a later import
  for (const file of files) {
    const uploaded = await upload(file)
    if (uploaded !== undefined) fileIds.push(uploaded)
  }
  const body = {
    id,
    name: truncate(name, maxProjectNameCharacters).trim() || t`Imported project`,
    instructions,
  }
  if (!(await isAccepted(options, () => callApi('projects.create', { body }, { signal })))) {
    leftOut.add('refusedProjects', { name })
    return false
  }
  const addFiles = () =>
    callApi('projects.update', { params: { projectId: id }, body: { add_files: fileIds } }, { signal })
  if (fileIds.length > 0 && !(await isAccepted(options, addFiles)))
    leftOut.add('refusedFiles', { count: fileIds.length, name })
  return true
}

async function sendPrompts(prompts: ExportLibrary['prompts'], options: LibraryOptions): Promise<void> {
  const { callWithRetries, signal, counts, leftOut } = options
  const stored = await callWithRetries(() => callApi('prompts.list', {}, { signal }))
  const known: Pick<ExportLibrary['prompts'][number], 'id' | 'name' | 'text'>[] = [...stored.prompts]
  for (const { id, name, text, projectId } of prompts) {
    if (known.some((one) => (id !== '' && one.id === id) || (one.name === name && one.text === text)))
      continue
    // archives that were chosen together may have the same one
    known.push({ id, name, text })
    const body = {
      name,
      text,
      ...(id !== '' && { id }),
      ...(projectId !== undefined && { project_id: projectId }),
    }
    if (await isAccepted(options, () => callApi('prompts.create', { body }, { signal }))) counts.prompts += 1
    else leftOut.add('refusedPrompts', { name })
  }
}

async function sendMemories(memories: ExportLibrary['memories'], options: LibraryOptions): Promise<void> {
  const { callWithRetries, signal, counts, leftOut } = options
  const stored = await callWithRetries(() => callApi('memory.list', {}, { signal }))
  const storedTexts = new Set(stored.memories.map(({ text }) => text))
  for (const text of new Set(memories)) {
    if (storedTexts.has(text)) continue
    if (await isAccepted(options, () => callApi('memory.add', { body: { text } }, { signal })))
      counts.memories += 1
    else leftOut.add('refusedMemories')
  }
}

/** Takes the instructions only if the person has none here. */
async function sendInstructions(instructions: string, options: LibraryOptions): Promise<void> {
  const { callWithRetries, signal, counts, leftOut } = options
  const { settings } = await callWithRetries(() => callApi('account.read', {}, { signal }))
  const body = { instructions, instructions_seen: '' }
  const hasNone = (settings.instructions ?? '') === ''
  if (hasNone && (await isAccepted(options, () => callApi('account.settings', { body }, { signal }))))
    counts.hasInstructions = true
  else if (settings.instructions !== instructions) leftOut.add('instructions')
}
