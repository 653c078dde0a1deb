import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  optionalIntUpTo,
  withExample,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

const statuses =
  'queued sending sent failed delivered undelivered receiving received accepted scheduled read partially_delivered canceled'.split(
    ' ',
  )
const message = z.object({
  sid: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  body: z.string().nullable(),
  status: z.enum(statuses),
  direction: z.enum(['inbound', 'outbound-api', 'outbound-call', 'outbound-reply']),
  date_sent: withExample(z.string(), 'Wed, 18 Nov 2026 09:00:00 +0000').nullable(),
})
const nextPage = { next_page_uri: z.string().nullable().optional() }

/** https://www.twilio.com/docs/messaging/api/message-resource */
export const contract: Contract = {
  sources: [
    {
      name: 'twilio-oai (spec/json/twilio_api_v2010.json)',
      url: 'https://github.com/twilio/twilio-oai',
      version: 'commit d50069b, 2026-04-14',
      checkedOn: '2026-11-21',
    },
  ],
  api: { version: '2010-04-01', supportedUntil: null, source: 'https://www.twilio.com/docs/usage/api' },
  unverified: ['how Twilio refuses a restricted key without the permission'],
  keyScopes: [],
  operations: {
    'GET /Accounts/:sid/Messages.json': {
      query: strictObject({
        PageSize: optionalIntUpTo(1_000),
        Page: nonEmptyText.optional(),
        PageToken: nonEmptyText.optional(),
      }),
      response: z.object({ messages: z.array(message), ...nextPage }),
    },
    'POST /Accounts/:sid/Messages.json': {
      form: strictObject({
        To: nonEmptyText,
        From: nonEmptyText.optional(),
        Body: nonEmptyText.max(1_600).optional(),
      }),
      response: message,
    },
    'GET /Accounts/:sid/IncomingPhoneNumbers.json': {
      query: strictObject({
        PageSize: optionalIntUpTo(1_000),
        Page: nonEmptyText.optional(),
        PageToken: nonEmptyText.optional(),
      }),
      response: z.object({
        incoming_phone_numbers: z.array(
          z.object({
            sid: z.string().nullable(),
            // the OpenAPI file allows null here, as everywhere; but nothing could be sent from such a number
            phone_number: withExample(z.string(), '+15550100000'),
          }),
        ),
        ...nextPage,
      }),
    },
  },
  invalid: (message) =>
    json(400, { code: 20_001, message, more_info: 'https://www.twilio.com/docs/errors/20001', status: 400 }),
  forbidden: () => json(403, { code: 20_403, message: 'Forbidden', status: 403 }),
  notFound: () => json(404, { code: 20_404, message: 'The requested resource was not found', status: 404 }),
}
