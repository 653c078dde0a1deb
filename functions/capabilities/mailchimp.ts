import * as z from 'zod'
import type { ApiRequest, ConnectedApi } from './api.ts'
import { capability, type Capability } from './capability.ts'
import { limit, singleLine, findByNameOrId, shortText } from './schemas.ts'

const metadata = z.object({ dc: z.string().regex(/^[a-z]{2}\d{1,3}$/) })

/** The host depends on the account's data centre, which has to be requested first. */
async function callDataCentre(api: ConnectedApi, path: string, request: ApiRequest, signal: AbortSignal) {
  const { dc } = metadata.parse(await api.call('/metadata', { base: 'account', scheme: 'OAuth' }, signal))
  return api.call(path, { ...request, addressParameters: { dc } }, signal)
}

const audiences = z.object({
  lists: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      stats: z.object({ member_count: z.number() }).optional(),
      date_created: z.string().optional(),
    }),
  ),
  total_items: z.number(),
})
const member = z.object({
  id: z.string(),
  email_address: z.string(),
  status: z.string(),
  full_name: z.string().default(''),
})
const fields = 'lists.id,lists.name,lists.stats.member_count,lists.date_created,total_items'
const audience = singleLine('name or id of the audience').optional()

async function findAudience(api: ConnectedApi, nameOrId: string | undefined, signal: AbortSignal) {
  return findByNameOrId(
    audiences.parse(await callDataCentre(api, '/lists', { query: { count: 1_000, fields } }, signal)).lists,
    nameOrId,
    'audience',
  )
}

const formatMember = ({ email_address, status, full_name }: z.output<typeof member>) => ({
  email: shortText(email_address),
  name: shortText(full_name),
  status,
})

export const mailchimp: readonly Capability[] = [
  capability({
    id: 'list_audiences',
    name: 'List audiences',
    description: 'Lists the audiences (mailing lists) of Mailchimp.',
    parameters: z.object({ limit: limit('audiences') }),
    examples: ['Which Mailchimp audiences are there?'],
    async run(api, { limit: count }, signal) {
      const found = audiences.parse(await callDataCentre(api, '/lists', { query: { count, fields } }, signal))
      return {
        audiences: found.lists.map(({ id, name, stats, date_created }) => ({
          name: shortText(name),
          members: stats?.member_count,
          created: date_created,
          id,
        })),
        more: found.total_items > found.lists.length,
      }
    },
  }),
  capability({
    id: 'list_subscribers',
    name: 'List subscribers',
    description: 'Lists the subscribers (members) of a Mailchimp audience.',
    parameters: z.object({ audience, limit: limit('subscribers') }),
    examples: ['Who subscribed to my Mailchimp newsletter?'],
    async run(api, { audience: nameOrId, limit: count }, signal) {
      const { id, name } = await findAudience(api, nameOrId, signal)
      const query = {
        count,
        fields: 'members.id,members.email_address,members.status,members.full_name,total_items',
      }
      const found = z
        .object({ members: z.array(member), total_items: z.number() })
        .parse(await callDataCentre(api, `/lists/${encodeURIComponent(id)}/members`, { query }, signal))
      return {
        audience: shortText(name),
        subscribers: found.members.map(formatMember),
        more: found.total_items > found.members.length,
      }
    },
  }),
  capability({
    id: 'add_subscriber',
    name: 'Add a subscriber',
    description:
      'Adds a subscriber (member) to a Mailchimp audience; they get an e-mail in which they confirm it.',
    parameters: z.object({ email: z.email().describe('e-mail address of the subscriber'), audience }),
    examples: ['Add ann@example.org to my Mailchimp newsletter'],
    writes: true,
    async run(api, { email, audience: nameOrId }, signal) {
      const { id, name } = await findAudience(api, nameOrId, signal)
      const json = { email_address: email, status: 'pending' }
      const created = await callDataCentre(
        api,
        `/lists/${encodeURIComponent(id)}/members`,
        { method: 'POST', json },
        signal,
      )
      return { added: true, audience: shortText(name), subscriber: formatMember(member.parse(created)) }
    },
  }),
]
