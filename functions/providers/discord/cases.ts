import { type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

export const cases: ProviderCases = {
  roundTrips: { list_servers: { finds: 'Board games' }, get_profile: { finds: 'Ann' } },
  requests: [
    {
      tool: 'list_servers',
      input: {},
      requests: [
        {
          endpoint: 'GET /users/@me/guilds',
          query: { limit: '50', with_counts: 'true' },
          headers: { 'user-agent': 'DiscordBot (juno-assistant, 1.0)' },
        },
      ],
      result: {
        servers: [{ name: 'Board games', owner: true, members: 42, id: '197038439483310086' }],
        more: false,
      },
    },
    {
      tool: 'list_servers',
      input: { limit: 1 },
      requests: [
        {
          endpoint: 'GET /users/@me/guilds',
          query: { limit: '1', with_counts: 'true' },
          headers: { 'user-agent': 'DiscordBot (juno-assistant, 1.0)' },
        },
      ],
      result: {
        servers: [{ name: 'Board games', owner: true, members: 42, id: '197038439483310086' }],
        more: true,
      },
    },
    {
      tool: 'get_profile',
      input: {},
      requests: [
        { endpoint: 'GET /users/@me', headers: { 'user-agent': 'DiscordBot (juno-assistant, 1.0)' } },
      ],
      result: { username: 'ann', name: 'Ann', id: '80351110224678912' },
    },
  ],
  responses: [
    {
      tool: 'list_servers',
      case: 'a server with only a name',
      responses: [['/guilds', [{ id: '1', name: 'A' }]]],
      result: { servers: [{ name: 'A', owner: false, id: '1' }], more: false },
    },
    {
      tool: 'get_profile',
      case: 'a profile without a name',
      responses: [['/@me', { id: '1', username: 'ann' }]],
      result: { username: 'ann', name: '', id: '1' },
    },
  ],
  chat: { reads: [['Which Discord servers am I in?', 'list_servers', 'Board games']] },
}
