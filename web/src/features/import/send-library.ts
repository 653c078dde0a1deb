import { t } from '@lingui/core/macro'
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

/**
 * Creates projects with their files, saved prompts and memories, each once: what is here already stays as it is.
 * @throws what `callApi` throws, but for refusals, which are counted
 */
export async function sendLibrary(
  { projects, prompts, memories, instructions }: ExportLibrary,
  {
    callWithRetries,
    signal,
    upload,
  }: Pick<SendOptions, 'signal' | 'upload'> & Pick<Attempts, 'callWithRetries'>,
  leftOut: LeftOutCounter,
): Promise<LibraryCounts> {
  const counts: LibraryCounts = { projects: 0, prompts: 0, memories: 0, hasInstructions: false }
  /** @returns false if the service refuses it, as when there are too many */
  const attempt = async (call: () => Promise<unknown>): Promise<boolean> => {
    try {
      await callWithRetries(call)
      return true
    } catch (error) {
      if (error instanceof ApiError && refusals.has(error.status)) return false
      throw error
    }
  }

  async function createProject({ id, name, instructions: given, files }: ExportedProject): Promise<void> {
    const ids: string[] = []
    for (const file of files) {
      const uploaded = await upload(file)
      if (uploaded !== undefined) ids.push(uploaded)
    }
    const body = { id, name: truncate(name, 80).trim() || t`Imported project`, instructions: given }
    const isCreated = await attempt(() => callApi('projects.create', { body }, { signal }))
    if (!isCreated) leftOut.add('refusedProjects', { name })
    else counts.projects += 1
    if (isCreated && ids.length > 0)
      await callWithRetries(() =>
        callApi('projects.update', { params: { projectId: id }, body: { add_files: ids } }, { signal }),
      )
  }

  if (projects.length > 0) {
    const stored = await callWithRetries(() => callApi('projects.list', {}, { signal }))
    const ids = new Set(stored.projects.map(({ id }) => id))
    for (const project of projects) {
      // two archives that were chosen together may have it
      if (!ids.has(project.id)) await createProject(project)
      ids.add(project.id)
    }
  }
  if (prompts.length > 0) {
    const stored = await callWithRetries(() => callApi('prompts.list', {}, { signal }))
    const isHere = ({ id, name, text }: ExportLibrary['prompts'][number]) =>
      stored.prompts.some((one) => one.id === id || (one.name === name && one.text === text))
    for (const { id, name, text, projectId } of prompts.filter((prompt) => !isHere(prompt))) {
      const body = {
        name,
        text,
        ...(id !== '' && { id }),
        ...(projectId !== undefined && { project_id: projectId }),
      }
      if (await attempt(() => callApi('prompts.create', { body }, { signal }))) counts.prompts += 1
      else leftOut.add('refusedPrompts', { name })
    }
  }
  if (memories.length > 0) {
    const stored = await callWithRetries(() => callApi('memory.list', {}, { signal }))
    const storedTexts = new Set(stored.memories.map(({ text }) => text))
    for (const text of new Set(memories)) {
      if (storedTexts.has(text)) continue
      if (await attempt(() => callApi('memory.add', { body: { text } }, { signal }))) counts.memories += 1
      else leftOut.add('refusedMemories')
    }
  }
  if (instructions !== '') {
    const { settings } = await callWithRetries(() => callApi('account.read', {}, { signal }))
    const body = { instructions, instructions_seen: '' }
    // those that the person has here stay
    const isTaken =
      (settings.instructions ?? '') === '' &&
      (await attempt(() => callApi('account.settings', { body }, { signal })))
    counts.hasInstructions = isTaken
    if (!isTaken && settings.instructions !== instructions) leftOut.add('instructions')
  }
  return counts
}
