import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  optionalIntUpTo,
  flag,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

// https://discord.com/developers/docs/reference#user-agent
const headers = z.looseObject({ 'user-agent': z.string().regex(/^DiscordBot \(\S+, [\w.]+\)/) })

/** https://github.com/discord/discord-api-spec */
export const contract: Contract = {
  sources: [
    {
      name: 'discord-api-spec (list_my_guilds, get_my_user)',
      url: 'https://github.com/discord/discord-api-spec',
      version: '2026-08',
      checkedOn: '2026-11-20',
    },
    {
      name: 'discord-api-types',
      url: 'https://github.com/discordjs/discord-api-types',
      version: '0.38.57',
      checkedOn: '2026-11-21',
    },
  ],
  api: {
    version: 'v10',
    supportedUntil: null,
    source: 'https://discord.com/developers/docs/reference#api-versioning',
  },
  oauth: { parameters: ['prompt'], pkce: true },
  readsOnly: 'a person’s token may send no messages; only bots may',
  operations: {
    'GET /users/@me': {
      scopes: ['identify'],
      headers,
      response: z.object({ id: nonEmptyText, username: z.string(), global_name: z.string().nullable() }),
    },
    'GET /users/@me/guilds': {
      scopes: ['guilds'],
      headers,
      query: strictObject({
        limit: optionalIntUpTo(200),
        with_counts: flag.optional(),
        before: nonEmptyText.optional(),
        after: nonEmptyText.optional(),
      }),
      response: z.array(
        z.object({
          id: nonEmptyText,
          name: z.string(),
          owner: z.boolean(),
          approximate_member_count: z.number().int().nullish(),
        }),
      ),
    },
  },
  invalid: (message) =>
    json(400, { message: 'Invalid Form Body', code: 50_035, errors: { _errors: [{ message }] } }),
  forbidden: () => json(403, { message: 'Missing required OAuth2 scope', code: 50_026 }),
  notFound: () => json(404, { message: '404: Not Found', code: 0 }),
}
