import * as z from 'zod'
import type { ApiRequest, ConnectedApi } from './api.ts'
import { capability, type Capability } from './capability.ts'
import { cleanText } from '../platform/untrusted-text.ts'
import { limit, singleLine, longText, findByNameOrId, shortText } from './schemas.ts'
import type { ApiFailure } from '../providers/errors.ts'

const failed = z.object({ ok: z.literal(false), error: z.string(), needed: z.string().optional() })
const signedOut = /^(?:invalid_auth|not_authed|token_expired|token_revoked|account_inactive)$/

/** Slack reports most errors with status 200. */
function parseFailure(body: unknown): ApiFailure | undefined {
  const { data } = failed.safeParse(body)
  if (!data) return undefined
  const message = data.error.replaceAll('_', ' ')
  if (signedOut.test(data.error)) return { status: 401, message }
  if (data.error === 'missing_scope') return { status: 403, message, scopes: data.needed?.split(',') ?? [] }
  if (data.error === 'ratelimited') return { status: 429, message }
  return { status: data.error.endsWith('not_found') ? 404 : 400, message }
}

const call = (api: ConnectedApi, method: string, request: ApiRequest, signal: AbortSignal) =>
  api.call(`/${method}`, { ...request, toFailure: parseFailure }, signal)

const more = z.object({ next_cursor: z.string().default('') }).default({ next_cursor: '' })
const channels = z.object({
  channels: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      num_members: z.number().optional(),
      is_member: z.boolean().default(false),
      topic: z.object({ value: z.string() }).optional(),
    }),
  ),
  response_metadata: more,
})
const messages = z.object({
  messages: z.array(z.object({ ts: z.string(), user: z.string().optional(), text: z.string().default('') })),
  has_more: z.boolean().default(false),
})
const people = z.object({
  members: z.array(z.object({ id: z.string(), name: z.string(), real_name: z.string().optional() })),
})

/** Slack's limit must be less than 1,000. */
const maxChannels = 999

const listChannels = async (api: ConnectedApi, maxRows: number, signal: AbortSignal) =>
  channels.parse(
    await call(
      api,
      'conversations.list',
      { query: { types: 'public_channel', exclude_archived: true, limit: maxRows } },
      signal,
    ),
  )

async function findChannel(api: ConnectedApi, nameOrId: string, signal: AbortSignal) {
  const found = await listChannels(api, maxChannels, signal)
  return findByNameOrId(found.channels, nameOrId.replace(/^#/, ''), 'channel')
}

const channel = singleLine('name of the Slack channel, such as general, or its id', 100)

export const slack: readonly Capability[] = [
  capability({
    id: 'list_channels',
    name: 'List channels',
    description: 'Lists the public channels of the Slack workspace.',
    parameters: z.object({ limit: limit('channels', 50, 200) }),
    examples: ['Which Slack channels are there?'],
    async run(api, { limit: maxRows }, signal) {
      const answer = await listChannels(api, maxRows, signal)
      return {
        channels: answer.channels.map(({ id, name, num_members, is_member, topic }) => ({
          name: shortText(name),
          topic: shortText(topic?.value),
          members: num_members,
          joined: is_member,
          id,
        })),
        more: answer.response_metadata.next_cursor !== '',
      }
    },
  }),
  capability({
    id: 'read_messages',
    name: 'Read messages',
    description: 'Reads the last messages of a Slack channel, newest first.',
    parameters: z.object({ channel, limit: limit('messages') }),
    examples: ['What was said in #general on Slack?'],
    async run(api, { channel: nameOrId, limit: maxRows }, signal) {
      const { id } = await findChannel(api, nameOrId, signal)
      const [answer, { members }] = await Promise.all([
        call(api, 'conversations.history', { query: { channel: id, limit: maxRows } }, signal),
        call(api, 'users.list', { query: { limit: 200 } }, signal).then((found) => people.parse(found)),
      ])
      const names = new Map(members.map((one) => [one.id, one.real_name ?? one.name]))
      const found = messages.parse(answer)
      return {
        messages: found.messages.map(({ ts, user = '', text }) => ({
          from: shortText(names.get(user) ?? user),
          text: cleanText(text, 1_000),
          at: new Date(Number(ts) * 1_000).toISOString(),
        })),
        more: found.has_more,
      }
    },
  }),
  capability({
    id: 'send_message',
    name: 'Send a message',
    description: 'Sends (posts) a message to a Slack channel.',
    parameters: z.object({ channel, text: longText('the message', 10_000).min(1) }),
    examples: ['Tell #general on Slack that lunch is ready'],
    writes: true,
    async run(api, { channel: nameOrId, text }, signal) {
      const { id, name } = await findChannel(api, nameOrId, signal)
      const request = { method: 'POST', json: { channel: id, text } } as const
      const { ts } = z.object({ ts: z.string() }).parse(await call(api, 'chat.postMessage', request, signal))
      return { sent: true, channel: shortText(name), id: ts }
    },
  }),
]
