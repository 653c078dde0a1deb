import { sayCapability } from '#shared/sentences/capabilities.ts'
import { ToolError } from '../../platform/tool-error.ts'
import { sayTool } from '#shared/sentences/tools.ts'
import * as z from 'zod'
import { type ApiClient, capabilityWith, type Capability } from '../capability.ts'
import { cleanText } from '../../platform/untrusted-text.ts'
import {
  findByNameOrId,
  limit,
  longText,
  mapInBatches,
  optionalField,
  secondsToIsoTime,
  shortText,
  singleLine,
} from '../schemas.ts'
import { type ApiFailure } from '../errors.ts'
import { ProviderError } from '../provider-error.ts'

const failedResponse = z.object({ ok: z.literal(false), error: z.string(), needed: z.string().optional() })
const signedOutErrors = /^(?:invalid_auth|not_authed|token_expired|token_revoked|account_inactive)$/

/** Slack's own trouble: https://docs.slack.dev/reference/methods/chat.postMessage#errors */
const faults = /^(?:fatal_error|internal_error|service_unavailable|request_timeout)$/

/** A bot posts and reads only where it is a member: https://docs.slack.dev/reference/scopes/channels.history */
const inviteAdvice = sayTool('slack_not_in_channel')

/** Slack reports most errors with status 200. */
function parseFailure(body: unknown): ApiFailure | undefined {
  const { data } = failedResponse.safeParse(body)
  if (!data) return undefined
  const message = data.error.replaceAll('_', ' ')
  if (signedOutErrors.test(data.error)) return { status: 401, message }
  if (data.error === 'missing_scope') return { status: 403, message, scopes: data.needed?.split(',') ?? [] }
  if (/^rate_?limited$/.test(data.error)) return { status: 429, message }
  if (data.error === 'not_in_channel') return { status: 403, message, advice: inviteAdvice }
  if (faults.test(data.error)) return { status: 503, message }
  return { status: data.error.endsWith('not_found') ? 404 : 400, message }
}

const capability = capabilityWith({ toFailure: parseFailure })

const nextCursor = z
  .object({ next_cursor: z.string().nullish() })
  .nullish()
  .transform((page) => page?.next_cursor || undefined)
const channels = z.object({
  channels: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      num_members: z.number().nullish(),
      is_member: z.boolean().nullish(),
      topic: z.object({ value: optionalField }).nullish(),
    }),
  ),
  response_metadata: nextCursor,
})
type Channel = z.output<typeof channels>['channels'][number]
const messages = z.object({
  messages: z.array(z.object({ ts: z.string(), user: z.string().nullish(), text: z.string().nullish() })),
  has_more: z.boolean().nullish(),
})
const person = z.object({ user: z.object({ name: z.string(), real_name: z.string().nullish() }) })

/** Slack recommends at most 200 rows per page, and admits about 20 such requests a minute. */
const pageSize = 200
const maxPages = 20
const maxConcurrent = 5

const listChannels = (api: ApiClient, query: { limit: number; cursor?: string | undefined }) =>
  api.get(channels, '/conversations.list', { types: 'public_channel', exclude_archived: true, ...query })

/** A page may have few rows, or none, though others follow: archived channels are removed from it. */
async function findChannel(api: ApiClient, nameOrId: string) {
  if (/^[CG][A-Z0-9]{7,}$/.test(nameOrId)) return { id: nameOrId, name: nameOrId }
  const name = nameOrId.replace(/^#/, '').toLowerCase()
  const found: Channel[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page += 1) {
    const response = await listChannels(api, { limit: pageSize, cursor })
    const match = response.channels.find((one) => one.name.toLowerCase() === name)
    if (match) return match
    found.push(...response.channels)
    cursor = response.response_metadata
    if (cursor === undefined) return findByNameOrId(found, name, 'channel')
  }
  throw new ToolError(sayCapability('channel_not_found.too_many', { count: found.length }))
}

async function fetchName(api: ApiClient, user: string): Promise<[string, string]> {
  try {
    const { name, real_name } = (await api.get(person, '/users.info', { user })).user
    return [user, real_name || name]
  } catch (error) {
    // the author's account may be gone, or belong to another workspace
    if (!(error instanceof ProviderError && error.status === 404)) throw error
    return [user, user]
  }
}

const channel = singleLine('name of the Slack channel, such as general, or its id', 100)

export const tools: readonly Capability[] = [
  capability({
    id: 'list_channels',
    name: 'List channels',
    description: 'Lists the public channels of the Slack workspace.',
    parameters: z.object({ limit: limit('channels', 50, 200) }),
    examples: ['Which Slack channels are there?'],
    async run(api, query) {
      const response = await listChannels(api, query)
      return {
        channels: response.channels.map(({ id, name, num_members, is_member, topic }) => ({
          name: shortText(name),
          topic: topic?.value ?? '',
          members: num_members ?? undefined,
          joined: is_member ?? false,
          id,
        })),
        more: response.response_metadata !== undefined,
      }
    },
  }),
  capability({
    id: 'read_messages',
    name: 'Read messages',
    description: 'Reads the last messages of a Slack channel, newest first.',
    parameters: z.object({ channel, limit: limit('messages', 15) }),
    examples: ['What was said in #general on Slack?'],
    async run(api, { channel: nameOrId, limit: maxRows }) {
      const { id } = await findChannel(api, nameOrId)
      const found = await api.get(messages, '/conversations.history', { channel: id, limit: maxRows })
      const authors = [...new Set(found.messages.flatMap(({ user }) => user ?? []))]
      const names = new Map(await mapInBatches(authors, maxConcurrent, (user) => fetchName(api, user)))
      return {
        messages: found.messages.map(({ ts, user, text }) => ({
          from: shortText(names.get(user ?? '')),
          text: cleanText(text, 1_000),
          at: secondsToIsoTime(ts),
        })),
        more: found.has_more ?? false,
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
    async run(api, { channel: nameOrId, text }) {
      const { id, name } = await findChannel(api, nameOrId)
      const json = { channel: id, text }
      const { ts } = await api.post(z.object({ ts: z.string() }), '/chat.postMessage', { json })
      return { sent: true, channel: shortText(name), id: ts }
    },
  }),
]
