import * as z from 'zod'
import { clientGeneratedId, disabledTool } from '#shared/contracts/chat.ts'
import { groupName } from '#shared/contracts/group-name.ts'
import { project } from '#shared/contracts/projects.ts'
import { success } from '#shared/contracts/success.ts'
import {
  maxAssistantDescriptionCharacters,
  maxAssistantNewsCharacters,
  maxAssistantPictureBytes,
  maxProjectNameCharacters,
  maxStarterCharacters,
  maxStarters,
} from '#shared/limits.ts'

/** Who may use an assistant besides its publisher: everyone who is signed in, or the members of groups; nobody without a group. */
const audience = z.union([z.literal('everyone'), z.strictObject({ groups: z.array(groupName).max(100) })])

/**
 * An assistant, as those who may use it see it: neither its instructions nor its files. `version` counts how often its project was
 * published. Times are ISO 8601 in UTC.
 */
export const assistant = z.object({
  id: z.string(),
  /** one line */
  name: z.string(),
  description: z.string(),
  /** messages to begin a conversation with */
  starters: z.array(z.string()),
  version: z.number().int().positive(),
  published_at: z.string(),
  /** whether the caller has published it */
  mine: z.boolean(),
  publisher: z.object({ name: z.string() }),
  /** the integrations of the catalogue that its publisher had connected and not turned off; everybody connects their own */
  tools: z.array(z.object({ id: z.string(), name: z.string() })),
  /** what its conversations begin with, until their user chooses otherwise; absent: as in other conversations */
  model: z.string().optional(),
  effort: z.string().optional(),
  disabled_tools: z.array(disabledTool).optional(),
  /** absent: it has none. The address needs no sign-in, does not change within the hour, and ends one to two hours later */
  picture: z.object({ url: z.string() }).optional(),
  /** whether its audience may make projects of their own from it */
  may_copy: z.literal(true).optional(),
  /** only for its publisher and for administrators: its audience, the conversations that have begun with it */
  audience: z.union([z.literal('everyone'), z.object({ groups: z.array(z.string()) })]).optional(),
  uses: z.number().int().nonnegative().optional(),
  /** only for its publisher */
  project_id: z.string().optional(),
})
export type Assistant = z.infer<typeof assistant>

/**
 * POST /api/projects/{projectId}/publish: makes the project as it is now the next version of its assistant. 400
 * `bad_request.not_your_group` for a group that the caller is not in; 409 `files_being_read` while a document of it is being read,
 * `publish_conflict` when it was published or withdrawn, or its publisher lost a group, meanwhile, `too_many_assistants`.
 */
export const publishRequest = z.strictObject({
  /** by default the project's */
  name: z.string().trim().min(1).max(maxProjectNameCharacters).optional(),
  /** by default that of the version before */
  description: z.string().trim().max(maxAssistantDescriptionCharacters).optional(),
  /** by default those of the version before, or the first saved prompts of the project */
  starters: z.array(z.string().trim().min(1).max(maxStarterCharacters)).max(maxStarters).optional(),
  audience,
  /** base64 of a PNG, JPEG or WebP; null: none; by default that of the version before. 400 `bad_request.picture` for any other */
  picture: z
    .string()
    .regex(/^[A-Za-z0-9+/]+={0,2}$/)
    .max(Math.ceil(maxAssistantPictureBytes / 3) * 4)
    .nullable()
    .optional(),
  /** what is new in this version: conversations that go on with it say it once */
  news: z.string().trim().max(maxAssistantNewsCharacters).optional(),
  /** lets its audience copy it, with instructions and texts of files, as `assistants.copy` does; by default not */
  may_copy: z.boolean().optional(),
})
export type PublishRequest = z.infer<typeof publishRequest>

/** The routes of assistants, of the function 'sessions'. */
export const assistantsContracts = {
  'assistants.publish': {
    request: publishRequest,
    response: z.object({
      success: z.literal(true),
      assistant,
      /** the files of the project whose text the version has: those that are gone by then, or have no text, are left out */
      file_ids: z.array(z.string()),
    }),
  },
  /** the caller's own ones and those for the caller's groups, by name */
  'assistants.list': {
    response: z.object({
      assistants: z.array(assistant),
      /** whether the caller may publish, and the groups that an audience can name */
      publishing: z.object({ allowed: z.boolean(), groups: z.array(z.string()) }),
    }),
  },
  'assistants.withdraw': { response: success },
  /**
   * POST /api/assistants/{assistantId}/copy: makes a project of the caller from the newest version, with the text of each file as a text
   * file. With an `id` the same request again changes nothing. 403 `copy_not_allowed` where its publisher does not allow it.
   */
  'assistants.copy': {
    request: z.strictObject({ id: clientGeneratedId.optional() }),
    response: z.object({ success: z.literal(true), project }),
  },
  /** all of them, by name */
  'admin.assistants': { response: z.object({ assistants: z.array(assistant) }) },
} as const
