import { ok, paginate, record, text, type Double } from '../../../infra/local/doubles/providers/double.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'

export const double: Double = {
  rows: {
    conversations: [
      {
        id: '4711',
        type: 'conversation',
        title: null,
        state: 'open',
        updated_at: 1763540000,
        source: {
          body: '<p>My parcel is late &amp; I am sad</p>',
          author: { name: 'Cleo Marsh', email: 'cleo@example.net' },
        },
      },
    ],
  },
  fixed: { 'GET /me': { type: 'admin', id: '100', name: 'You', email: 'you@example.com' } },
  routes: {
    'POST /conversations/search': ({ body, rows }) => {
      const { field, value } = record(body['query'])
      const all = rows('conversations')
        .filter((one) => one[text(field)] === value)
        .map((one) => {
          const last = rows('replies').findLast(({ to }) => to === one['id'])
          return last ? { ...one, title: last['body'] } : one
        })
      const { page, next } = paginate(all, record(body['pagination'])['per_page'])
      return ok({
        type: 'conversation.list',
        conversations: page,
        pages: { type: 'pages', page: 1, next: next === undefined ? null : { starting_after: next } },
        total_count: all.length,
      })
    },
    'POST /conversations/:id/reply': async ({ pathParams: [id], body, rows, saveRow }) => {
      const found = rows('conversations').find((one) => one['id'] === id)
      const errors = [{ code: 'not_found', message: 'Conversation not found' }]
      if (!found) return json(404, { type: 'error.list', errors })
      await saveRow('replies', { to: id, body: body['body'] })
      return ok(found)
    },
  },
}
