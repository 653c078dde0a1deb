import * as z from 'zod'
import { capabilityWith, type Capability } from '../capability.ts'
import { cleanText, htmlToText } from '../../platform/untrusted-text.ts'
import { limit, optionalField, singleLine, longText, secondsToIsoTime, shortText } from '../schemas.ts'

const capability = capabilityWith({ headers: { 'intercom-version': '2.13' } })
const conversation = z.object({
  id: z.string(),
  title: optionalField,
  state: z.string().optional(),
  updated_at: z.number().nullish(),
  source: z
    .object({
      body: z.string().nullish(),
      author: z.object({ name: z.string().nullish(), email: z.string().nullish() }).optional(),
    })
    .optional(),
})

const searchResponse = z.object({
  conversations: z.array(conversation),
  pages: z.object({ next: z.unknown().optional() }).nullish(),
})

export const tools: readonly Capability[] = [
  capability({
    id: 'list_conversations',
    name: 'List conversations',
    description:
      'Lists conversations with customers in Intercom that are open, closed or snoozed, sorted by their last update. If there are more, these are not necessarily the last updated ones.',
    parameters: z.object({
      state: z.enum(['open', 'closed', 'snoozed']).default('open').describe('state of the conversations'),
      limit: limit('conversations'),
    }),
    examples: ['Show the open Intercom conversations'],
    async run(api, { state: wanted, limit: maxRows }) {
      const json = {
        query: { field: 'state', operator: '=', value: wanted },
        pagination: { per_page: maxRows },
      }
      const found = await api.post(searchResponse, '/conversations/search', { reads: true, json })
      // which conversations a search returns first is not documented
      const rows = found.conversations.toSorted((a, b) => (b.updated_at ?? 0) - (a.updated_at ?? 0))
      return {
        conversations: rows.map(({ id, title, state, updated_at, source }) => ({
          from: shortText(source?.author?.name ?? source?.author?.email),
          title,
          text: cleanText(htmlToText(source?.body ?? ''), 500),
          state,
          updated: updated_at ? secondsToIsoTime(updated_at) : undefined,
          id,
        })),
        more: Boolean(found.pages?.next),
      }
    },
  }),
  capability({
    id: 'reply_to_conversation',
    name: 'Reply to a conversation',
    description: 'Sends a reply to the customer in a conversation of Intercom.',
    parameters: z.object({
      conversationId: singleLine('id of the conversation', 40).regex(/^\w+$/),
      body: longText('the reply', 10_000).min(1),
    }),
    examples: ['Reply to the Intercom conversation 4711 that we are on it'],
    writes: true,
    async run(api, { conversationId, body }) {
      const me = await api.get(z.object({ id: z.string() }), '/me')
      const json = { message_type: 'comment', type: 'admin', admin_id: me.id, body }
      const path = `/conversations/${encodeURIComponent(conversationId)}/reply`
      const created = await api.post(conversation, path, { json })
      return { sent: true, conversation: created.id, state: created.state }
    },
  }),
]
