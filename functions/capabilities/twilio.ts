import * as z from 'zod'
import { capability, type Capability } from './capability.ts'
import { cleanText } from '../platform/untrusted-text.ts'
import { limit, longText, findByNameOrId } from './schemas.ts'

const accountPath = '/Accounts/{accountSid}'
const phone = (whose: string) =>
  z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/)
    .describe(`phone number ${whose}, such as +15550100100`)
const message = z.object({
  sid: z.string().nullish(),
  from: z.string().nullable().default(null),
  to: z.string().nullish(),
  body: z.string().nullish(),
  status: z.string(),
  direction: z.string().optional(),
  date_sent: z.string().nullable().default(null),
})
const numbers = z.object({
  incoming_phone_numbers: z.array(
    z.object({ sid: z.string().nullish(), phone_number: z.string().nullish() }),
  ),
})

const formatMessage = ({ sid, from, to, body, status, direction, date_sent }: z.output<typeof message>) => ({
  from,
  to,
  text: cleanText(body ?? '', 500),
  status,
  direction,
  at: date_sent === null ? null : new Date(date_sent).toISOString(),
  id: sid,
})

export const twilio: readonly Capability[] = [
  capability({
    id: 'list_messages',
    name: 'List messages',
    description: 'Lists the last text messages (SMS) of the Twilio account, newest first.',
    parameters: z.object({ limit: limit('messages') }),
    examples: ['Show the last SMS of my Twilio account'],
    async run(api, { limit: maxRows }, signal) {
      const found = z
        .object({ messages: z.array(message), next_page_uri: z.string().nullable().default(null) })
        .parse(await api.call(`${accountPath}/Messages.json`, { query: { PageSize: maxRows } }, signal))
      return { messages: found.messages.map(formatMessage), more: found.next_page_uri !== null }
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
    async run(api, { to, body, from }, signal) {
      const ownNumbers = numbers.parse(
        await api.call(`${accountPath}/IncomingPhoneNumbers.json`, { query: { PageSize: 1_000 } }, signal),
      )
      const sender = findByNameOrId(
        ownNumbers.incoming_phone_numbers.flatMap(({ sid, phone_number }) =>
          phone_number ? [{ id: sid ?? phone_number, name: phone_number }] : [],
        ),
        from,
        'phone number',
      )
      const form = { To: to, From: sender.name, Body: body }
      const sent = message.parse(
        await api.call(`${accountPath}/Messages.json`, { method: 'POST', form }, signal),
      )
      return { sent: true, ...formatMessage(sent) }
    },
  }),
]
