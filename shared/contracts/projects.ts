import * as z from 'zod'
import { clientGeneratedId, disabledTool } from '#shared/contracts/chat.ts'
import { attachment } from '#shared/contracts/files.ts'
import { success } from '#shared/contracts/success.ts'
import {
  maxDisabledTools,
  maxProjectFiles,
  maxProjectInstructionCharacters,
  maxProjectNameCharacters,
  maxPromptCharacters,
} from '#shared/limits.ts'

const projectId = clientGeneratedId

/** A project as the lists have it, with the defaults of its new conversations. Times are ISO 8601 in UTC. */
export const projectSummary = z.object({
  id: z.string(),
  /** one line */
  name: z.string(),
  /** id of the model that replies in new conversations, and the effort with it; absent: the user's choice */
  model: z.string().optional(),
  effort: z.string().optional(),
  /** what replies in new conversations may not use; absent if nothing */
  disabled_tools: z.array(disabledTool).optional(),
  /** the assistant of somebody else whose copied instructions the user has not saved yet: until then they count as that person's */
  copied_from: z.string().optional(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type ProjectSummary = z.infer<typeof projectSummary>

/** A project with what its conversations share. */
export const project = projectSummary.extend({
  instructions: z.string(),
  /** those that still exist, oldest first, without links */
  files: z.array(attachment.extend({ created_at: z.string() })),
})
export type Project = z.infer<typeof project>

const name = z.string().trim().min(1).max(maxProjectNameCharacters)
const instructions = z.string().trim().max(maxProjectInstructionCharacters)
const fileIds = z.array(clientGeneratedId).min(1).max(maxProjectFiles)
const choices = {
  /** null: the user's choice */
  model: z.string().min(1).max(200).nullable().optional(),
  effort: z.string().min(1).max(20).nullable().optional(),
  disabled_tools: z.array(disabledTool).max(maxDisabledTools).optional(),
}

/** POST /api/projects. With an `id` the same request again changes nothing. */
export const projectAddition = z.strictObject({
  id: projectId.optional(),
  name,
  instructions: instructions.optional(),
  ...choices,
})
export type ProjectAddition = z.infer<typeof projectAddition>

/**
 * PATCH /api/projects/{projectId}: changes the given fields, at least one. With `…_seen`, the text that the sender has seen: 409
 * `changed_elsewhere` if another one is stored. Files are added, or removed, by id; 404 `attachment_not_found` names those that do not exist.
 */
export const projectChange = z
  .strictObject({
    name: name.optional(),
    name_seen: z.string().optional(),
    instructions: instructions.optional(),
    instructions_seen: z.string().optional(),
    ...choices,
    add_files: fileIds.optional(),
    remove_files: fileIds.optional(),
  })
  .refine(
    (change) =>
      Object.entries(change).some(([field, value]) => !field.endsWith('_seen') && value !== undefined),
    { message: 'Name at least one field to change.' },
  )
  .refine(({ add_files, remove_files }) => !(add_files && remove_files), {
    message: 'Add or remove files, not both at once.',
  })
export type ProjectChange = z.infer<typeof projectChange>

const projectResponse = z.object({ success: z.literal(true), project })

/** A prompt to be inserted with `/`: of a project, or of the user. */
export const savedPrompt = z.object({
  id: z.string(),
  /** one line */
  name: z.string(),
  text: z.string(),
  /** where it is offered; absent: in all conversations */
  project_id: z.string().optional(),
  /** the assistant of somebody else that it came with; absent once its user has saved it */
  copied_from: z.string().optional(),
  created_at: z.string(),
})
export type SavedPrompt = z.infer<typeof savedPrompt>

const promptText = z.string().trim().min(1).max(maxPromptCharacters)

/** With an `id` the same request again changes nothing. */
export const promptAddition = z.strictObject({
  id: clientGeneratedId.optional(),
  name,
  text: promptText,
  project_id: projectId.optional(),
})
export const promptChange = z.strictObject({ name, text: promptText })
const promptResponse = z.object({ success: z.literal(true), prompt: savedPrompt })

/** The routes of projects and saved prompts, of the function 'sessions'. */
export const projectsContracts = {
  'projects.list': { response: z.object({ projects: z.array(projectSummary) }) },
  'projects.create': { request: projectAddition, response: projectResponse },
  'projects.read': { response: projectResponse },
  'projects.update': { request: projectChange, response: projectResponse },
  'projects.delete': {
    /** what becomes of its conversations: they stay, without a project, or are deleted */
    query: z.object({ conversations: z.enum(['keep', 'delete']).default('keep') }),
    /** `done: false`: there was more than one call could do; call again */
    response: z.object({ success: z.literal(true), done: z.boolean() }),
  },
  /** the caller's own ones, by name, or those that came with an assistant, which only its publisher can change */
  'prompts.list': {
    query: z.object({ assistant_id: clientGeneratedId.optional() }),
    response: z.object({ prompts: z.array(savedPrompt) }),
  },
  'prompts.create': { request: promptAddition, response: promptResponse },
  'prompts.update': { request: promptChange, response: promptResponse },
  'prompts.delete': { response: success },
} as const
