import * as z from 'zod'
import { capability, type Capability } from '../capability.ts'
import { cleanText } from '../../platform/untrusted-text.ts'
import { limit, longText, findByNameOrId, toIsoTime } from '../schemas.ts'

const accountPath = '/Accounts/{accountSid}'
const phone = (whose: string) =>
  z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/)
    .describe(`phone number ${whose}, such as +15550100100`)
const message = z
  .object({
    sid: z.string().nullish(),
    from: z.string().nullable().default(null),
    to: z.string().nullish(),
    body: z.string().nullish(),
    status: z.string(),
    direction: z.string().optional(),
    date_sent: z.string().nullable().default(null),
  })
  .transform(({ sid, body, date_sent: sentAt, ...rest }) => ({
    ...rest,
    text: cleanText(body, 500),
    at: sentAt && toIsoTime(sentAt),
    id: sid,
  }))
const messagePage = z.object({ messages: z.array(message), next_page_uri: z.string().nullish() })
const number = z.object({ sid: z.string().nullish(), phone_number: z.string().nullish() })
const numbers = z.object({ incoming_phone_numbers: z.array(number) })

export const tools: readonly Capability[] = [
  capability({
    id: 'list_messages',
    name: 'List messages',
    description: 'Lists the last text messages (SMS) of the Twilio account, newest first.',
    parameters: z.object({ limit: limit('messages') }),
    examples: ['Show the last SMS of my Twilio account'],
    async run(api, { limit: maxRows }) {
      const found = await api.get(messagePage, `${accountPath}/Messages.json`, { PageSize: maxRows })
      return { messages: found.messages, more: Boolean(found.next_page_uri) }
    },
  }),
  capability({
    id: 'send_sms',
    name: 'Send an SMS',
    description: 'Sends a text message (SMS) through Twilio. It costs money.',
    parameters: z.object({
      to: phone('of the recipient'),
      body: longText('the text', 1_600).min(1),
      from: phone('of the account that it is sent from; not needed if there is only one').optional(),
    }),
    examples: ['Send an SMS to +15550100100 that the parcel is here'],
    writes: true,
    async run(api, { to, body, from }) {
      const path = `${accountPath}/IncomingPhoneNumbers.json`
      const { incoming_phone_numbers: found } = await api.get(numbers, path, { PageSize: 1_000 })
      const own = found.flatMap(({ sid, phone_number: name }) => (name ? [{ id: sid ?? name, name }] : []))
      const form = { To: to, From: findByNameOrId(own, from, 'phone number').name, Body: body }
      return { sent: true, ...(await api.post(message, `${accountPath}/Messages.json`, { form })) }
    },
  }),
]
