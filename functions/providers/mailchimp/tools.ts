import * as z from 'zod'
import { type ApiClient, capability, type Capability } from '../capability.ts'
import { limit, optionalField, shortField, singleLine, findByNameOrId, shortText } from '../schemas.ts'

const metadata = z.object({ dc: z.string().regex(/^[a-z]{2}\d{1,3}$/) })

/** The host depends on the account's data centre, which has to be requested first. */
async function findDataCentre(api: ApiClient): Promise<ApiClient> {
  const { dc } = await api.get(metadata, '/metadata', {}, { base: 'account', scheme: 'OAuth' })
  return api.with({ addressParameters: { dc } })
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
const member = z
  .object({ id: z.string(), email_address: shortField, status: z.string(), full_name: optionalField })
  .transform(({ email_address: email, full_name: name, status }) => ({ email, name, status }))
const memberPage = z.object({ members: z.array(member), total_items: z.number() })
const fields = 'lists.id,lists.name,lists.stats.member_count,lists.date_created,total_items'
const audience = singleLine('name or id of the audience').optional()

async function findAudience(api: ApiClient, nameOrId: string | undefined) {
  const dataCentre = await findDataCentre(api)
  const { lists } = await dataCentre.get(audiences, '/lists', { count: 1_000, fields })
  const { id, name } = findByNameOrId(lists, nameOrId, 'audience')
  return { dataCentre, name: shortText(name), path: `/lists/${encodeURIComponent(id)}/members` }
}

export const tools: readonly Capability[] = [
  capability({
    id: 'list_audiences',
    name: 'List audiences',
    description: 'Lists the audiences (mailing lists) of Mailchimp.',
    parameters: z.object({ limit: limit('audiences') }),
    examples: ['Which Mailchimp audiences are there?'],
    async run(api, { limit: count }) {
      const found = await (await findDataCentre(api)).get(audiences, '/lists', { count, fields })
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
    async run(api, { audience: nameOrId, limit: count }) {
      const { dataCentre, name, path } = await findAudience(api, nameOrId)
      const query = {
        count,
        fields: 'members.id,members.email_address,members.status,members.full_name,total_items',
      }
      const found = await dataCentre.get(memberPage, path, query)
      return { audience: name, subscribers: found.members, more: found.total_items > found.members.length }
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
    async run(api, { email, audience: nameOrId }) {
      const { dataCentre, name, path } = await findAudience(api, nameOrId)
      const json = { email_address: email, status: 'pending' }
      return { added: true, audience: name, subscriber: await dataCentre.post(member, path, { json }) }
    },
  }),
]
