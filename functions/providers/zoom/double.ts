import {
  invalidToken,
  newId,
  newNumericId,
  ok,
  paginate,
  text,
  type Double,
} from '../../../infra/local/doubles/providers/double.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'

export const double: Double = {
  rows: {
    meetings: [
      {
        id: 86000000001,
        uuid: 'u1',
        topic: 'Weekly sync',
        type: 2,
        start_time: 'soon 1 10',
        duration: 30,
        timezone: 'UTC',
        join_url: 'https://zoom.us/j/86000000001',
      },
    ],
  },
  routes: {
    'GET /users/me/meetings': ({ query, rows }) => {
      const all = rows('meetings')
      const { page, next = '' } = paginate(all, query.get('page_size') ?? 30, query.get('next_page_token'))
      // times without milliseconds
      const meetings = page.map((one) => ({
        ...one,
        start_time: text(one['start_time']).replace('.000', ''),
      }))
      return ok({ page_size: page.length, total_records: all.length, next_page_token: next, meetings })
    },
    'POST /users/me/meetings': async ({ body, saveRow }) => {
      const id = 86_000_000_000 + Number(newNumericId().slice(-9))
      const join_url = `https://zoom.us/j/${id}`
      return json(201, await saveRow('meetings', { ...body, id, uuid: newId(), timezone: 'UTC', join_url }))
    },
  },
  unauthorized: invalidToken({ code: 124, message: 'Invalid access token.' }),
}
