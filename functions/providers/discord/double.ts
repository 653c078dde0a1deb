import { ok, paginate, type Double } from '../../../infra/local/doubles/providers/double.ts'

export const double: Double = {
  rows: {
    servers: [{ id: '197038439483310086', name: 'Board games', owner: true, approximate_member_count: 42 }],
  },
  fixed: {
    'GET /users/@me': { id: '80351110224678912', username: 'ann', global_name: 'Ann', discriminator: '0' },
  },
  routes: {
    'GET /users/@me/guilds': ({ query, rows }) =>
      ok(paginate(rows('servers'), query.get('limit') ?? 200).page),
  },
}
