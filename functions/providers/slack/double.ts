import { ok, paginate, type Double } from '../../../infra/local/doubles/providers/double.ts'
import type { Row } from '../../../infra/local/doubles/providers/store.ts'

/** Why the app may not use a channel of Slack. */
function refuseChannel(channels: Row[], id: unknown) {
  const channel = channels.find((one) => one['id'] === id)
  if (channel?.['is_member'] === true) return undefined
  return ok({ ok: false, error: channel ? 'not_in_channel' : 'channel_not_found' })
}

export const double: Double = {
  rows: {
    channels: [
      { id: 'C01GENERAL', name: 'general', is_member: true, num_members: 12, topic: { value: 'Everything' } },
      {
        id: 'C02RANDOM',
        name: 'random',
        is_member: true,
        num_members: 11,
        topic: { value: 'Lunch and cats' },
      },
      { id: 'C03BOARD', name: 'board', is_member: false, num_members: 3, topic: { value: '' } },
    ],
    messages: [
      { channel: 'C01GENERAL', ts: '1763600000.000100', user: 'U1', text: 'The release is on Thursday.' },
    ],
    people: [
      { id: 'U1', name: 'ann', real_name: 'Ann Lee' },
      { id: 'U2', name: 'juno', real_name: 'Juno' },
    ],
  },
  routes: {
    'GET /conversations.list': ({ query, rows }) => {
      const { page, next } = paginate(rows('channels'), query.get('limit'), query.get('cursor'))
      return ok({ ok: true, channels: page, response_metadata: { next_cursor: next ?? '' } })
    },
    'GET /conversations.history': ({ query, rows }) => {
      const found = rows('messages').filter(({ channel }) => channel === query.get('channel'))
      const { page, next } = paginate(found.toReversed(), query.get('limit'))
      const messages = page.map((one) => ({ type: 'message', ...one }))
      return (
        refuseChannel(rows('channels'), query.get('channel')) ??
        ok({ ok: true, messages, has_more: next !== undefined })
      )
    },
    'GET /users.info': ({ query, rows }) => {
      const user = rows('people').find(({ id }) => id === query.get('user'))
      return ok(user ? { ok: true, user } : { ok: false, error: 'user_not_found' })
    },
    'POST /chat.postMessage': async ({ body: { channel, text: said }, rows, saveRow }) => {
      const refused = refuseChannel(rows('channels'), channel)
      if (refused) return refused
      const ts = (Date.now() / 1_000).toFixed(6)
      const message = await saveRow('messages', { channel, ts, user: 'U2', text: said })
      return ok({ ok: true, channel, ts, message })
    },
  },
  unauthorized: ok({ ok: false, error: 'token_expired' }),
}
