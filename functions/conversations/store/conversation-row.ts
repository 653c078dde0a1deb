import * as z from 'zod'
import { disabledTool } from '#shared/contracts/chat.ts'
import { conversationAssistant, type Session } from '#shared/contracts/messages.ts'
import { parseCounters, usageCounterNames, usageCounters } from '../../platform/dynamodb/usage-counters.ts'

// The row of a conversation, and what is read from it.

/** The key of a conversation's row. */
export const conversationKey = (sub: string, id: string) => ({ PK: `U#${sub}`, SK: `S#${id}` })

const row = z.object({
  SK: z.string().startsWith('S#'),
  title: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  message_count: z.number(),
  title_set: z.boolean().optional(),
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
  model: z.string().optional(),
  effort: z.string().optional(),
  /** since when usage is counted: later than `created_at` in conversations of earlier releases */
  usage_from: z.string().optional(),
  ...usageCounters.shape,
  disabled_tools: z.array(disabledTool).optional(),
  project_id: z.string().optional(),
  assistant: conversationAssistant.optional().catch(undefined),
  /** when its messages last changed, if that did not move it up the list: a recovery */
  changed_at: z.string().optional(),
})

/** A stored conversation. `title_set`: the user has named it. */
export interface StoredConversation extends Session {
  title_set?: boolean | undefined
}

/** A conversation of a list; `changed_at`: when its messages last changed, ISO time. */
export type ListedConversation = Session & { changed_at: string }

/** @returns the conversation of a row */
export const fromRow = (sub: string, item: Record<string, unknown> | undefined): StoredConversation => {
  const parsed = row.parse(item)
  const { SK, usage_from, changed_at: _, ...fields } = parsed
  for (const name of usageCounterNames) delete (fields as Partial<typeof fields>)[name]
  const since = usage_from !== undefined && usage_from > fields.created_at ? { since: usage_from } : {}
  const isUsed = usageCounterNames.some((name) => parsed[name] > 0)
  return {
    id: SK.slice('S#'.length),
    user_id: sub,
    ...fields,
    ...(isUsed && { usage: { ...parseCounters(parsed), ...since } }),
  }
}

/** @returns the conversation of a row; none if it was deleted, or has no real content */
export function toListed(sub: string, item: Record<string, unknown> | undefined): ListedConversation[] {
  if (!item || item['deleted_at'] !== undefined) return []
  const session = fromRow(sub, item)
  if (session.message_count === 0) return []
  const { changed_at = '' } = row.parse(item)
  return [{ ...session, changed_at: changed_at > session.updated_at ? changed_at : session.updated_at }]
}
