import { t } from '@lingui/core/macro'
import { maxProjectNameCharacters } from '#shared/limits.ts'
import { truncate } from '#shared/truncate.ts'
import { ApiError } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
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
): Promise<LibraryCounts> {
  return {
    projects: projects.length > 0 ? await sendProjects(projects, options) : 0,
    prompts: prompts.length > 0 ? await sendPrompts(prompts, options) : 0,
    memories: memories.length > 0 ? await sendMemories(memories, options) : 0,
    hasInstructions: instructions !== '' && (await sendInstructions(instructions, options)),
  }
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

/** @returns how many were created, as do the functions below */
async function sendProjects(projects: readonly ExportedProject[], options: LibraryOptions): Promise<number> {
  const { callWithRetries, signal } = options
  const stored = await callWithRetries(() => callApi('projects.list', {}, { signal }))
  const ids = new Set(stored.projects.map(({ id }) => id))
  let count = 0
  for (const project of projects) {
    // two archives that were chosen together may have it
    if (!ids.has(project.id) && (await createProject(project, options))) count += 1
    ids.add(project.id)
  }
  return count
}

/** @returns whether it was created */
async function createProject(
  { id, name, instructions, files }: ExportedProject,
  options: LibraryOptions,
): Promise<boolean> {
  const { callWithRetries, signal, upload, leftOut } = options
  const fileIds: string[] = []
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
  if (fileIds.length > 0)
    await callWithRetries(() =>
      callApi('projects.update', { params: { projectId: id }, body: { add_files: fileIds } }, { signal }),
    )
  return true
}

async function sendPrompts(prompts: ExportLibrary['prompts'], options: LibraryOptions): Promise<number> {
  const { callWithRetries, signal, leftOut } = options
  const stored = await callWithRetries(() => callApi('prompts.list', {}, { signal }))
  const isHere = ({ id, name, text }: ExportLibrary['prompts'][number]) =>
    stored.prompts.some((one) => one.id === id || (one.name === name && one.text === text))
  let count = 0
  for (const { id, name, text, projectId } of prompts.filter((prompt) => !isHere(prompt))) {
    const body = {
      name,
      text,
      ...(id !== '' && { id }),
      ...(projectId !== undefined && { project_id: projectId }),
    }
    if (await isAccepted(options, () => callApi('prompts.create', { body }, { signal }))) count += 1
    else leftOut.add('refusedPrompts', { name })
  }
  return count
}

async function sendMemories(memories: ExportLibrary['memories'], options: LibraryOptions): Promise<number> {
  const { callWithRetries, signal, leftOut } = options
  const stored = await callWithRetries(() => callApi('memory.list', {}, { signal }))
  const storedTexts = new Set(stored.memories.map(({ text }) => text))
  let count = 0
  for (const text of new Set(memories)) {
    if (storedTexts.has(text)) continue
    if (await isAccepted(options, () => callApi('memory.add', { body: { text } }, { signal }))) count += 1
    else leftOut.add('refusedMemories')
  }
  return count
}

/** @returns whether they were taken: those that the person has here stay */
async function sendInstructions(instructions: string, options: LibraryOptions): Promise<boolean> {
  const { callWithRetries, signal, leftOut } = options
  const { settings } = await callWithRetries(() => callApi('account.read', {}, { signal }))
  const body = { instructions, instructions_seen: '' }
  const isTaken =
    (settings.instructions ?? '') === '' &&
    (await isAccepted(options, () => callApi('account.settings', { body }, { signal })))
  if (!isTaken && settings.instructions !== instructions) leftOut.add('instructions')
  return isTaken
}
