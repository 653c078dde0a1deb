import * as z from 'zod'
import { toolCall } from '#shared/contracts/chat.ts'

/** DATA-01, DATA-02: a saved conversation. Times are ISO 8601 in UTC. */
export const session = z.object({
  id: z.string(),
  user_id: z.string(),
  title: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  /** messages of real content (DEC-045) */
  message_count: z.number().int().nonnegative(),
})
export type Session = z.infer<typeof session>

/** DATA-03, DEC-120: a message, with marks for replies that did not end by themselves. */
export const message = z.object({
  id: z.string(),
  session_id: z.string(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  attachments: z.array(z.object({ id: z.string(), name: z.string(), type: z.string(), size: z.number() })),
  tool_calls: z.array(toolCall),
  created_at: z.string(),
  /** how a reply ended when it did not end by itself; absent on complete ones */
  ended: z.enum(['stopped', 'failed', 'incomplete', 'interrupted']).optional(),
})
export type Message = z.infer<typeof message>

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
})
export type RunView = z.infer<typeof runView>

export const sessionList = z.object({ sessions: z.array(session) })
export const sessionRead = z.object({
  session,
  messages: z.array(message),
  /** pass as `before` to read the messages before these; null when these are the oldest */
  earlier: z.string().nullable(),
  run: runView.nullable(),
})
export type SessionRead = z.infer<typeof sessionRead>
