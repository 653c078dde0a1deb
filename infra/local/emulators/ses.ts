import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { LocalCredentials } from '../credentials.ts'
import type { LocalServer } from '../listen.ts'
import type { Mailbox } from '../mailbox.ts'
import { AwsError, parse, serveAws } from './aws-json.ts'

/*
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html (members, errors) and
 * https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html: the sender has to be verified; at most 50 recipients; local parts in
 * ASCII; no line breaks in headers. Only what the product sends: a simple message with a text and an HTML part.
 */
const path = '/v2/email/outbound-emails'
const content = z.strictObject({ Data: z.string().min(1), Charset: z.literal('UTF-8') })
const headerText = z.string().regex(/^[^\r\n]*$/, 'Header contains a line break')
const address = z
  .string()
  .regex(/^[\x21-\x7e]+@[^\s@]+\.[^\s@]+$/, 'Local address contains control or whitespace')
const sendEmailInput = z.strictObject({
  FromEmailAddress: headerText.min(1),
  Destination: z.strictObject({ ToAddresses: z.array(address).min(1).max(50) }),
  Content: z.strictObject({
    Simple: z.strictObject({
      Subject: content.extend({ Data: headerText.min(1) }),
      Body: z.strictObject({ Html: content, Text: content }),
    }),
  }),
})

interface SesOptions {
  region: string
  credentials: LocalCredentials
  /** the only verified address */
  sender: string
  mailbox: Pick<Mailbox, 'add'>
}

/** SES for the SDK on a free port: SendEmail delivers into the mailbox. */
export const startSesEmulator = (options: SesOptions): Promise<LocalServer> =>
  serveAws(
    {
      contentType: 'application/json',
      maxBodyBytes: 10_000_000,
      signer: { ...options.credentials, region: options.region, service: 'ses' },
    },
    async ({ method, url }, body) => {
      if (method !== 'POST' || url !== path)
        throw new AwsError('UnknownOperationException', 'Unknown operation', { status: 404 })
      return { body: JSON.stringify({ MessageId: deliver(options, body) }) }
    },
  )

/** @returns the message's id */
function deliver({ sender, region, mailbox }: SesOptions, body: string): string {
  const parsed = sendEmailInput.safeParse(parse(body))
  if (!parsed.success) throw refuse(parsed.error.issues[0]?.message ?? 'The request is not valid.')
  const { FromEmailAddress: from, Destination, Content } = parsed.data
  const fromAddress = /<([^<>]+)>$/.exec(from)?.[1] ?? from
  if (fromAddress.toLowerCase() !== sender.toLowerCase())
    throw new AwsError(
      'MessageRejected',
      `Email address is not verified. The following identities failed the check in region ${region.toUpperCase()}: ${from}`,
    )
  const { Subject, Body } = Content.Simple
  for (const to of Destination.ToAddresses)
    mailbox.add({ to, subject: Subject.Data, text: Body.Text.Data, html: Body.Html.Data })
  return `${randomUUID()}-000000`
}

const refuse = (message: string) => new AwsError('BadRequestException', message)
