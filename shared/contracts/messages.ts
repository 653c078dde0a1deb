import * as z from 'zod'
import {
  disabledTool,
  incompleteReason,
  reasoning,
  replyNotice,
  source,
  toolCall,
  usage,
} from '#shared/contracts/chat.ts'
import { usageTotals } from '#shared/contracts/usage.ts'
import { attachment } from '#shared/contracts/files.ts'

// apart from the routes of conversations: the chat function stores messages, and loads no schema of other routes
/** The assistant of a conversation, and the version that replied last; `gone`: it is not there any more for the user. */
export const conversationAssistant = z.object({
  id: z.string(),
  name: z.string(),
  version: z.number().int(),
  gone: z.literal(true).optional(),
})
export type ConversationAssistant = z.infer<typeof conversationAssistant>

/** A saved conversation. Times are ISO 8601 in UTC. */
export const session = z.object({
  id: z.string(),
  user_id: z.string(),
  title: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  /** messages with content */
  message_count: z.number().int().nonnegative(),
  /** listed first; false if absent */
  pinned: z.boolean().optional(),
  /** listed in the archive only; false if absent */
  archived: z.boolean().optional(),
  /** id of the model that replied last, and the effort that was chosen with it */
  model: z.string().optional(),
  effort: z.string().optional(),
  /**
   * What its replies used, earlier versions and failed ones included; absent before the first. `since` where it was not counted from
   * the beginning.
   */
  usage: usageTotals.extend({ since: z.string().optional() }).optional(),
  /** what its replies may not use; absent if nothing */
  disabled_tools: z.array(disabledTool).optional(),
  /** the project it belongs to; absent if none */
  project_id: z.string().optional(),
  /** the assistant that it began with; absent if none */
  assistant: conversationAssistant.optional(),
})
export type Session = z.infer<typeof session>

/** A message, with marks for replies that did not end by themselves. */
export const message = z.object({
  id: z.string(),
  session_id: z.string(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  attachments: z.array(attachment),
  tool_calls: z.array(toolCall),
  created_at: z.string(),
  /** how an incomplete reply ended; absent on complete ones */
  ended: z.enum(['stopped', 'failed', 'incomplete', 'interrupted']).optional(),
  incomplete_reason: incompleteReason.optional(),
  notices: z.array(replyNotice).optional(),
  reasoning: reasoning.optional(),
  sources: z.array(source).optional(),
  usage: usage.optional(),
})
export type Message = z.infer<typeof message>

/** What its user thinks of a reply. Administrators see it in counts, and the text as it is. */
export const feedback = z.object({
  rating: z.enum(['up', 'down']),
  text: z.string().optional(),
  /** administrators see the e-mail address with the text */
  named: z.literal(true).optional(),
})
export type Feedback = z.infer<typeof feedback>

/** A message as a reader gets it. */
export const messageWithVersions = message.extend({
  /** on a reply that its user has rated; with the routes of conversations only */
  feedback: feedback.optional(),
  /**
   * On a user's message whose turn has several versions (it was edited, or its reply regenerated): which of them this is, from 1, and
   * how many there are.
   */
  versions: z.object({ shown: z.number().int().positive(), count: z.number().int().min(2) }).optional(),
})
export type MessageWithVersions = z.infer<typeof messageWithVersions>
