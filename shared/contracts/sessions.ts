import * as z from 'zod'
import { clientGeneratedId } from '#shared/contracts/chat.ts'
import { exportLanguage } from '#shared/contracts/export-language.ts'
import { runView } from '#shared/contracts/runs.ts'
import { maxFeedbackCharacters, maxTitleCharacters } from '#shared/limits.ts'
import { success } from '#shared/contracts/success.ts'
import { feedback, messageWithVersions, session } from '#shared/contracts/messages.ts'

/**
 * GET /api/sessions: the caller's conversations with real content, newest update first. `view=active` gives those that are not archived,
 * the pinned ones first and all of them on the first page; `view=archived` gives the others. Without `limit` all of them, as far as one
 * answer carries them. Ask again with `cursor: next` as long as there is a `next`.
 */
export const sessionListQuery = z.object({
  view: z.enum(['active', 'archived']).optional(),
  /** only those of this project */
  project_id: clientGeneratedId.optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
  cursor: z.string().max(400).optional(),
})
export const sessionList = z.object({
  sessions: z.array(session),
  /** how many conversations all pages have together; with `limit` only, and absent when not all of many conversations were read */
  total: z.number().int().nonnegative().optional(),
  /** absent on the last page */
  next: z.string().optional(),
})
export const sessionRead = z.object({
  session,
  messages: z.array(messageWithVersions),
  /** pass as `before` to read the messages before these; null when these are the oldest */
  earlier: z.string().nullable(),
  run: runView.nullable(),
  /**
   * the message of `run`, if it was to replace another one (`run.replaces`) and the run ended without a word of a reply: it is none of the
   * messages, and goes when the conversation goes on. While the run is active, it is the last of the messages
   */
  attempt: messageWithVersions.optional(),
})
export type SessionRead = z.infer<typeof sessionRead>

/**
 * POST /api/sessions/{sessionId}/version: shows another branch of the conversation, which the next message continues: the branch of the
 * message's `version` (from 1), or without it the newest branch with the message. 409 while a run is active.
 */
export const showVersionRequest = z.strictObject({
  message_id: clientGeneratedId,
  version: z.number().int().positive().optional(),
})

/**
 * POST /api/sessions/{sessionId}/copy: a new conversation with the messages of one branch, up to the reply of this message. 409 while that
 * is being written. Its other versions are not copied.
 */
export const copyRequest = z.strictObject({ message_id: clientGeneratedId })

/**
 * PATCH /api/sessions/{sessionId}: changes the given fields, at least one. A title that the user has set is never replaced. The next
 * message restores an archived conversation.
 */
export const sessionChanges = z
  .strictObject({
    title: z.string().trim().min(1).max(maxTitleCharacters).optional(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
    /** the project to move it to; null: out of its project */
    project_id: clientGeneratedId.nullable().optional(),
  })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), {
    message: 'Name at least one field to change.',
  })
export type SessionChanges = z.infer<typeof sessionChanges>
export const sessionChanged = z.object({ success: z.literal(true), session })

/**
 * PATCH /api/sessions/{sessionId}/messages/{messageId}: rates a reply, as a whole: what is not named is removed; null takes the rating back.
 * Each version of a reply has its own. 409 `reply_not_rated` for
 * what no model of this installation wrote, and for replies that failed.
 */
export const ratingRequest = z.strictObject({
  feedback: z
    .strictObject({
      rating: feedback.shape.rating,
      text: z.string().trim().max(maxFeedbackCharacters).nullish(),
      /** the user agrees that administrators read the text; nothing is stored that nobody may read */
      readable: z.boolean().nullish(),
      /** and that they see the user's e-mail address with it */
      named: z.boolean().nullish(),
    })
    .refine(({ text, readable }) => !text || readable === true, {
      message: 'A text is for administrators to read: send `readable: true` with it, or no text.',
      path: ['readable'],
    })
    .nullable(),
})
export type Rating = NonNullable<z.infer<typeof ratingRequest>['feedback']>
export const ratingResponse = z.object({ success: z.literal(true), feedback: feedback.nullable() })

/**
 * GET /api/search-corpus: the caller's own titles and messages, to be searched in the browser. Without `since` everything;
 * with the `as_of` of the last time only conversations changed after it. Ask again with `cursor: next` until `next` is null.
 */
export const corpusQuery = z.object({
  since: z.iso.datetime().optional(),
  cursor: z.string().max(400).optional(),
})
export const corpusResponse = z.object({
  /** all conversations, on the first page only; any other one was deleted */
  sessions: z
    .array(session.pick({ id: true, title: true, updated_at: true, archived: true, project_id: true }))
    .nullable(),
  /** conversations whose messages follow, on the first page only: drop their known messages first */
  changed: z.array(z.string()).nullable(),
  messages: z.array(
    z.object({
      id: z.string(),
      session_id: z.string(),
      role: z.enum(['user', 'assistant']),
      content: z.string(),
      /**
       * what is shown of it besides its text, as far as it is no longer than 8,000 characters: names of files, titles of sources, arguments
       * and results of calls. A call that waits is one more message, with the id of the message that it answers
       */
      details: z.string().optional(),
      created_at: z.string(),
    }),
  ),
  next: z.string().nullable(),
  as_of: z.string(),
})

/**
 * GET /api/sessions/{sessionId}/export: one conversation as a file, the branch that is shown first and then what other versions have.
 * `content` is a part of it; ask again with `after: next` until `next` is null, and join the parts as they came.
 */
export const exportQuery = z.object({
  format: z.enum(['markdown', 'json']).default('markdown'),
  after: z
    .string()
    .regex(/^v?\d{6}#[123](@\d{1,6})?$/)
    .optional(),
  language: exportLanguage,
})
export const exportResponse = z.object({
  success: z.literal(true),
  file_name: z.string(),
  type: z.string(),
  content: z.string(),
  next: z.string().nullable(),
})

/** The routes of conversations, of the function 'sessions'. */
export const sessionsContracts = {
  'sessions.list': { query: sessionListQuery, response: sessionList },
  'sessions.read': {
    query: z.object({
      before: z
        .string()
        .regex(/^\d{6}#[123]$/)
        .optional(),
    }),
    response: sessionRead,
  },
  'sessions.delete': { response: success },
  'sessions.update': { request: sessionChanges, response: sessionChanged },
  'sessions.showVersion': { request: showVersionRequest, response: sessionRead },
  'sessions.copy': { request: copyRequest, response: sessionChanged },
  // deletes the user's message and its reply, whichever of them is named; 409 while a reply is active
  'sessions.deleteTurn': { response: sessionRead },
  'sessions.rate': { request: ratingRequest, response: ratingResponse },
  'sessions.export': { query: exportQuery, response: exportResponse },
  'sessions.corpus': { query: corpusQuery, response: corpusResponse },
} as const
