import { newId, ok, paginate, text, type Double } from '../../../infra/local/doubles/providers/double.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'

export const double: Double = {
  rows: {
    messages: [
      {
        sid: 'SM1',
        from: '+15550100200',
        to: '+15550100000',
        body: 'When do you open?',
        status: 'received',
        direction: 'inbound',
        date_sent: 'Wed, 18 Nov 2026 09:00:00 +0000',
      },
    ],
  },
  fixed: {
    'GET /Accounts/:sid/IncomingPhoneNumbers.json': {
      incoming_phone_numbers: [{ sid: 'PN1', phone_number: '+15550100000', friendly_name: 'Office' }],
      page: 0,
    },
  },
  routes: {
    'GET /Accounts/:sid/Messages.json': ({ query, rows }) => {
      const { page, next } = paginate(rows('messages').toReversed(), query.get('PageSize') ?? 50)
      const next_page_uri = next === undefined ? null : '/next'
      return ok({ messages: page, page: 0, page_size: page.length, next_page_uri })
    },
    'POST /Accounts/:sid/Messages.json': async ({ body: { To: to, From: from, Body: body }, saveRow }) => {
      if (from !== '+15550100000')
        return json(400, {
          code: 21_606,
          message: `The 'From' phone number ${text(from)} is not a valid, SMS-capable inbound phone number`,
          more_info: 'https://www.twilio.com/docs/errors/21606',
          status: 400,
        })
      const sms = { sid: `SM${newId()}`, from, to, body, status: 'queued', direction: 'outbound-api' }
      return json(201, await saveRow('messages', { ...sms, date_sent: null }))
    },
  },
}
