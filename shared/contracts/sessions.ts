import * as z from 'zod'
import { clientId, replyNotice, toolCall } from '#shared/contracts/chat.ts'
import { attachment } from '#shared/contracts/files.ts'
import { reconnectReason } from '#shared/contracts/reconnect.ts'
import { maxTitleCharacters } from '#shared/limits.ts'
import { success } from '#shared/contracts/success.ts'

/** DATA-01, DATA-02: a saved conversation. Times are ISO 8601 in UTC. */
export const session = z.object({
  id: z.string(),
  user_id: z.string(),
  title: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  /** messages of real content (DEC-045) */
  message_count: z.number().int().nonnegative(),
  /** stands first in the list; absent is false */
  pinned: z.boolean().optional(),
  /** stands in the archive in place of the list; absent is false */
  archived: z.boolean().optional(),
})
export type Session = z.infer<typeof session>

/** What the user thinks of a reply. */
export const rating = z.enum(['up', 'down'])
export type Rating = z.infer<typeof rating>

/** DATA-03, DEC-120: a message, with marks for replies that did not end by themselves. */
export const message = z.object({
  id: z.string(),
  session_id: z.string(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  attachments: z.array(attachment),
  tool_calls: z.array(toolCall),
  created_at: z.string(),
  /** how a reply ended when it did not end by itself; absent on complete ones */
  ended: z.enum(['stopped', 'failed', 'incomplete', 'interrupted']).optional(),
  notices: z.array(replyNotice).optional(),
  /** of a reply, once the user has given it */
  rating: rating.optional(),
})
export type Message = z.infer<typeof message>

/** A message as a reader gets it. */
export const messageWithVersions = message.extend({
  /**
   * On a user's message whose turn has several versions (it was edited, or its reply regenerated): which of them this is, from 1, and
   * how many there are.
   */
  versions: z.object({ shown: z.number().int().positive(), count: z.number().int().min(2) }).optional(),
})
export type MessageWithVersions = z.infer<typeof messageWithVersions>

/** What a waiting run asks the user: to allow a call, or to connect an integration again so that the call can be made. */
const approvalRequest = z.object({
  call_id: z.string(),
  kind: z.enum(['approval', 'reconnect']),
  tool: z.string(),
  /** what people call the tool */
  title: z.string(),
  /** name and id of the integration; null for the product's own tools */
  integration: z.string().nullable(),
  mcp_id: z.string().nullable(),
  /** who published the integration's server in the catalogue, as in `com.example` */
  namespace: z.string().optional(),
  /** what the tool's server says that it does, shortened; nobody has checked it */
  description: z.string().optional(),
  /** the tool's server says that it may delete or overwrite things */
  destructive: z.boolean().optional(),
  /** of a `reconnect` question whose credential is good, but not for the server that the catalogue names today */
  reconnect: reconnectReason.optional(),
  /** exactly what will be sent once it is allowed */
  arguments: z.record(z.string(), z.unknown()),
  asked_at: z.string(),
  /** the user's answer, while another question is still open */
  decision: z.enum(['approved', 'denied']).nullable(),
})
export type ApprovalRequest = z.infer<typeof approvalRequest>

/** The newest run of a conversation, as far as a reader needs it. */
export const runView = z.object({
  run_id: z.string(),
  status: z.enum(['running', 'waiting', 'done', 'stopped', 'failed', 'incomplete', 'interrupted']),
  /** id of the user's message that the run answers */
  message_id: z.string(),
  /** id of the assistant's message that the run writes */
  reply_id: z.string(),
  /** the sentence shown when the run failed */
  error: z.string().optional(),
  /**
   * id of the user's message that this run's message takes the place of (`replaces` of chat.send). While the run is active the
   * page hides the messages from that one up to `message_id`; once the new reply is stored, they are an earlier version.
   */
  replaces: z.string().optional(),
  /** of a waiting run */
  questions: z.array(approvalRequest).optional(),
})
export type RunView = z.infer<typeof runView>

/**
 * GET /api/sessions: the caller's conversations with real content, newest update first. `view=active` gives those that are not archived,
 * the pinned ones first and all of them on the first page; `view=archived` gives the others. Without `limit` all of them, as far as one
 * answer carries them. Ask again with `cursor: next` as long as there is a `next`.
 */
export const sessionListQuery = z.object({
  view: z.enum(['active', 'archived']).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
  cursor: z.string().max(400).optional(),
})
export const sessionList = z.object({
  sessions: z.array(session),
  /** how many conversations all pages have together; with `limit` only */
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
})
export type SessionRead = z.infer<typeof sessionRead>

/**
 * POST /api/sessions/{sessionId}/version: shows another branch of the conversation, which the next message goes on from: the one of the
 * message's `version` (from 1) of so many, or without it the newest one that has the message. 409 while a reply is written or waits.
 */
export const showVersionRequest = z.strictObject({
  message_id: clientId,
  version: z.number().int().positive().optional(),
})

/**
 * PATCH /api/sessions/{sessionId}: changes what is given, at least one field. A title that a person set is never replaced; its
 * white space is trimmed. The next message brings an archived conversation back.
 */
export const sessionChanges = z
  .strictObject({
    title: z.string().trim().min(1).max(maxTitleCharacters).optional(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
  })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), {
    message: 'Name at least one field to change.',
  })
export type SessionChanges = z.infer<typeof sessionChanges>
export const sessionChanged = z.object({ success: z.literal(true), session })

/** PATCH /api/sessions/{sessionId}/messages/{messageId}: null takes the rating of a reply back. */
export const ratingRequest = z.strictObject({ rating: rating.nullable() })

/**
 * GET /api/search-corpus: the caller's own titles and messages, to be searched in the browser. Without `since` everything;
 * with the `as_of` of the last time only conversations changed after it. Ask again with `cursor: next` until `next` is null.
 */
export const corpusQuery = z.object({
  since: z.iso.datetime().optional(),
  cursor: z.string().max(400).optional(),
})
export const corpusResponse = z.object({
  /** every conversation there is, on the first page only: one that is missing was deleted */
  sessions: z.array(session.pick({ id: true, title: true, updated_at: true, archived: true })).nullable(),
  /** conversations whose messages this answer begins to send: forget what is known of them first (first page only) */
  changed: z.array(z.string()).nullable(),
  messages: z.array(
    z.object({
      id: z.string(),
      session_id: z.string(),
      role: z.enum(['user', 'assistant']),
      content: z.string(),
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
  'messages.rate': { request: ratingRequest, response: success },
  'sessions.export': { query: exportQuery, response: exportResponse },
  'sessions.corpus': { query: corpusQuery, response: corpusResponse },
} as const
