import * as z from 'zod'
import { source } from '#shared/contracts/chat.ts'
import { message } from '#shared/contracts/messages.ts'
import { shareDays } from '#shared/limits.ts'
import { success } from '#shared/contracts/success.ts'

/** The secret of a link: 256 random bits in base64url. It is in the fragment of the page's URL, which browsers do not send. */
const secret = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

/** Who may open a link: anybody who has it, or of these only people who are signed in here. A link never changes it. */
export const shareAudience = z.enum(['link', 'people'])
export type ShareAudience = z.infer<typeof shareAudience>

/** A link to a snapshot of a conversation, as its owner sees it. Times are ISO 8601 in UTC. */
export const share = z.object({
  id: z.string(),
  session_id: z.string(),
  secret,
  /** absent in links of earlier releases */
  audience: shareAudience.default('link'),
  /** the conversation's title when it was shared */
  title: z.string(),
  /** messages in the snapshot */
  message_count: z.number().int().nonnegative(),
  created_at: z.string(),
  ends_at: z.string(),
})
export type Share = z.infer<typeof share>

/**
 * POST /api/sessions/{sessionId}/shares. 403 `not_allowed` for a link for anybody where the caller's group may not make one, `sharing_off`
 * if the operator has turned sharing off; 409 `reply_unfinished` while a run is active, `nothing_to_share` for a conversation without
 * messages, `too_many_shares` when the user has as many links as one may; 429 when the day's are used up.
 */
export const shareRequest = z.strictObject({
  days: z.literal(shareDays),
  /** by default `link` */
  audience: shareAudience.optional(),
})
export const shareCreated = z.object({ success: z.literal(true), share })

/** GET /api/shares: the caller's links that work, newest first. Links are listed and revoked where sharing is off, too. */
export const shareList = z.object({ shares: z.array(share) })

/** What is shown of a message: its text, the pages it cites, its tables, and how many files it had. */
export const sharedMessage = z.object({
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  files: z.number().int().nonnegative(),
  sources: z.array(source).optional(),
  /** the results of queries below it, with their first rows, without the names of their files */
  tables: z
    .array(
      z.object({
        columns: z.array(z.string()),
        rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
        total_rows: z.number().int().nonnegative(),
      }),
    )
    .optional(),
  /** how an unfinished reply ended; absent in links of earlier releases */
  ended: message.shape.ended,
})
export type SharedMessage = z.infer<typeof sharedMessage>

/**
 * POST /api/shared-conversation, for visitors and people who are signed in: a page of a snapshot, from 1. 401 `sign_in_required` for a
 * visitor with a link for people; 404 `share_not_found` for a link that is unknown, revoked or expired, and for every link if sharing is
 * off; 429 for one that is opened too often.
 */
export const sharedRequest = z.strictObject({
  /** any text: an invalid secret is a link that does not exist */
  secret: z.string().max(200),
  page: z.number().int().min(1).max(1_000_000).default(1),
})
export const sharedConversation = z.object({
  title: z.string(),
  shared_at: z.string(),
  ends_at: z.string(),
  messages: z.array(sharedMessage),
  /** the page after this one, or null */
  next: z.number().int().nullable(),
})

export const sharedContracts = {
  'shares.view': { request: sharedRequest, response: sharedConversation },
} as const

/** The routes of a user's own links, of the function 'sessions'. */
export const sharesContracts = {
  'shares.create': { request: shareRequest, response: shareCreated },
  'shares.list': { response: shareList },
  'shares.revoke': { response: success },
} as const
