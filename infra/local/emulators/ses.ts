import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as z from 'zod'
import type { LocalCredentials } from '../credentials.ts'
import { listen, type LocalServer } from '../listen.ts'
import type { Mailbox } from '../mailbox.ts'
import { readBody } from '../read-body.ts'
import { AwsError, verifySignature } from './aws-json.ts'

/*
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html (members, errors) and
 * https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html: the sender has to be verified; at most 50 recipients; local parts in
 * ASCII; no line breaks in headers. Only what the product sends: a simple message with a text and an HTML part.
 */
const path = '/v2/email/outbound-emails'
const maxBodyBytes = 10_000_000
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
export async function startSesEmulator(options: SesOptions): Promise<LocalServer> {
  const server = createServer((request, response) => {
    void respond(options, request, response)
  })
  return listen(server)
}

async function respond(options: SesOptions, request: IncomingMessage, response: ServerResponse) {
  try {
    const bytes = await readBody(request, maxBodyBytes, () => refuse('The message is too large.'))
    verifySignature({ ...options.credentials, region: options.region, service: 'ses' }, request, bytes)
    if (request.method !== 'POST' || request.url !== path)
      throw new AwsError('UnknownOperationException', 'Unknown operation', { status: 404 })
    sendJson(response, 200, { MessageId: deliver(options, bytes.toString()) })
  } catch (error) {
    const awsError =
      error instanceof AwsError
        ? error
        : new AwsError('InternalServerError', 'The emulator failed.', { status: 500, cause: error })
    response.setHeader('x-amzn-errortype', awsError.type)
    sendJson(response, awsError.status, { message: awsError.message })
  }
}

/** @returns the message's id */
function deliver({ sender, region, mailbox }: SesOptions, body: string): string {
  const parsed = sendEmailInput.safeParse(parseJson(body))
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

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    throw new AwsError('SerializationException', 'The body is not JSON.', { cause: error })
  }
}

const refuse = (message: string) => new AwsError('BadRequestException', message)

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-amzn-requestid': randomUUID(),
    date: new Date().toUTCString(),
  })
  response.end(JSON.stringify(body))
}
