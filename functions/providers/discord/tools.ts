import * as z from 'zod'
import { capabilityWith, type Capability } from '../capability.ts'
import { limit, optionalField, shortField } from '../schemas.ts'

/** The user agent has the format that Discord requires. */
const capability = capabilityWith({ headers: { 'user-agent': 'DiscordBot (juno-assistant, 1.0)' } })
const guild = z
  .object({
    id: z.string(),
    name: shortField,
    owner: z.boolean().nullish(),
    approximate_member_count: z.number().nullish(),
  })
  .transform(({ id, name, owner, approximate_member_count: members }) => ({
    name,
    owner: owner ?? false,
    members: members ?? undefined,
    id,
  }))

/** Only bots may read and send messages; a user's token may not. */
export const tools: readonly Capability[] = [
  capability({
    id: 'list_servers',
    name: 'List servers',
    description: 'Lists the Discord servers (guilds) that the user is in.',
    parameters: z.object({ limit: limit('servers', 50, 200) }),
    examples: ['Which Discord servers am I in?'],
    async run(api, { limit: maxRows }) {
      const query = { limit: maxRows, with_counts: true }
      const servers = await api.get(z.array(guild), '/users/@me/guilds', query)
      return { servers, more: servers.length === maxRows }
    },
  }),
  capability({
    id: 'get_profile',
    name: 'Read the profile',
    description: 'Reads the Discord profile of the user.',
    parameters: z.object({}),
    examples: ['What is my Discord name?'],
    async run(api) {
      const me = z.object({ id: z.string(), username: shortField, global_name: optionalField })
      const { id, username, global_name } = await api.get(me, '/users/@me')
      return { username, name: global_name, id }
    },
  }),
]
