import * as z from 'zod'
import { capability, type Capability } from './capability.ts'
import { limit, shortText } from './schemas.ts'

/** The format that Discord requires of user agents. */
const headers = { 'user-agent': 'DiscordBot (juno-assistant, 1.0)' }

/** Only bots may read and send messages; a user's token may not. */
export const discord: readonly Capability[] = [
  capability({
    id: 'list_servers',
    name: 'List servers',
    description: 'Lists the Discord servers (guilds) that the user is in.',
    parameters: z.object({ limit: limit('servers', 50, 200) }),
    examples: ['Which Discord servers am I in?'],
    async run(api, { limit: maxRows }, signal) {
      const query = { limit: maxRows, with_counts: true }
      const guild = z.object({
        id: z.string(),
        name: z.string(),
        owner: z.boolean().nullish(),
        approximate_member_count: z.number().nullish(),
      })
      const rows = z.array(guild).parse(await api.call('/users/@me/guilds', { query, headers }, signal))
      return {
        servers: rows.map(({ id, name, owner, approximate_member_count: members }) => ({
          name: shortText(name),
          owner: owner ?? false,
          members: members ?? undefined,
          id,
        })),
        more: rows.length === maxRows,
      }
    },
  }),
  capability({
    id: 'get_profile',
    name: 'Read the profile',
    description: 'Reads the Discord profile of the user.',
    parameters: z.object({}),
    examples: ['What is my Discord name?'],
    async run(api, _, signal) {
      const me = z.object({
        id: z.string(),
        username: z.string(),
        global_name: z.string().nullish(),
      })
      const { id, username, global_name } = me.parse(await api.call('/users/@me', { headers }, signal))
      return { username: shortText(username), name: shortText(global_name), id }
    },
  }),
]
