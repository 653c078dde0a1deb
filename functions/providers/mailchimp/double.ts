import { newId, ok, paginate, text, type Double } from '../../../infra/local/doubles/providers/double.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'

export const double: Double = {
  rows: {
    members: [{ id: 'm1', email_address: 'ben@example.org', status: 'subscribed', full_name: 'Ben Ito' }],
  },
  fixed: {
    'GET /account/metadata': {
      dc: 'us21',
      accountname: 'Example',
      api_endpoint: 'https://us21.api.mailchimp.com',
      login_url: 'https://login.mailchimp.com',
    },
  },
  routes: {
    'GET /lists': ({ rows }) =>
      ok({
        lists: [
          {
            id: 'a1b2c3',
            name: 'Newsletter',
            date_created: '2025-02-01T08:00:00+00:00',
            stats: { member_count: rows('members').length },
          },
        ],
        total_items: 1,
      }),
    'GET /lists/:id/members': ({ pathParams: [list_id], query, rows }) => {
      const all = rows('members').toReversed()
      const { page } = paginate(all, query.get('count') ?? 10)
      return ok({ members: page, list_id, total_items: all.length })
    },
    'POST /lists/:id/members': async ({ body: { email_address, status }, rows, saveRow }) => {
      if (rows('members').some((one) => one['email_address'] === email_address))
        return json(400, {
          type: 'https://mailchimp.com/developer/marketing/docs/errors/',
          title: 'Member Exists',
          status: 400,
          detail: `${text(email_address)} is already a list member. Use PUT to insert or update list members.`,
        })
      return ok(await saveRow('members', { id: newId(), email_address, status, full_name: '' }))
    },
  },
}
