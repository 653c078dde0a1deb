import { sayCapability } from '#shared/sentences/capabilities.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import * as z from 'zod'
import { formatRecipients, parseRecipients } from '#shared/mail-recipients.ts'
import { type ApiClient, capability, type Capability } from '../capability.ts'
import { formatMailMessage } from './mail-message.ts'
import { ProviderError } from '../provider-error.ts'
import { mapInBatches } from '../schemas.ts'
import { cleanText, htmlToText } from '../../platform/untrusted-text.ts'
import { mailId, toWholeMail } from '../mail-text.ts'
import { findHeader, part, partBody, readParts } from './mail-parts.ts'

const messagesPath = '/users/me/messages'
const shownHeaders = ['From', 'To', 'Subject', 'Date'] as const
/** About the number of concurrent requests that Gmail allows per user. */
const maxConcurrent = 5

const listResponse = z.object({
  // absent if nothing matches
  messages: z.array(z.object({ id: z.string() })).default([]),
  nextPageToken: z.string().optional(),
})
const message = z.object({
  id: z.string(),
  threadId: z.string().default(''),
  labelIds: z.array(z.string()).default([]),
  snippet: z.string().default(''),
  internalDate: z.string().optional(),
  payload: part.nullish(),
})

const toPath = (id: string) => `${messagesPath}/${encodeURIComponent(id)}`

/** The fields of a message in a list. */
function toRow(mail: z.output<typeof message>) {
  const header = (name: string) => cleanText(findHeader(mail.payload ?? {}, name), 300)
  const at = new Date(Number(mail.internalDate))
  return {
    id: mail.id,
    threadId: mail.threadId,
    from: header('From'),
    to: header('To'),
    subject: header('Subject') || '(no subject)',
    date: at.getTime() > 0 ? at.toISOString() : header('Date'),
    snippet: cleanText(htmlToText(mail.snippet), 300),
    unread: mail.labelIds.includes('UNREAD'),
  }
}

/** @returns undefined for a message that is gone since it was listed */
async function listMessage(api: ApiClient, id: string) {
  const query = { format: 'metadata', metadataHeaders: shownHeaders }
  const mail = await api.get(message, toPath(id), query).catch((error: unknown) => {
    if (error instanceof ProviderError && error.status === 404) return undefined
    throw error
  })
  return mail && toRow(mail)
}

/** A message with its whole text and its attachments. */
async function readMessage(api: ApiClient, id: string) {
  const mail = await api.get(message, toPath(id), { format: 'full' })
  const content = await readParts(mail.payload, async (attachmentId) => {
    const path = `${toPath(id)}/attachments/${encodeURIComponent(attachmentId)}`
    const body = await api.get(partBody, path).catch((error: unknown) => {
      // the other parts can be read
      if (error instanceof ProviderError) return undefined
      throw error
    })
    return body?.data ?? undefined
  })
  return { ...toRow(mail), ...toWholeMail(content) }
}

const maxRecipientsLength = 4_000
/** Normalised, so that the approval card shows exactly what is sent, and white space cannot hide a recipient. */
const recipients = z
  .string()
  .min(1)
  .max(maxRecipientsLength)
  .describe('recipients: e-mail addresses with commas between them')
  .transform((to, context) => {
    const parsed = parseRecipients(to)
    const formatted = 'problem' in parsed ? '' : formatRecipients(parsed.recipients)
    const refuse = (sentence: Sentence) =>
      context.addIssue({ code: 'custom', message: sentence.text, params: { sentence } })
    if ('problem' in parsed) refuse(parsed.problem)
    // the result is validated again after the approval and must pass
    else if (formatted.length > maxRecipientsLength) refuse(sayCapability('invalid_mail.to_too_long'))
    return formatted
  })

export const tools: readonly Capability[] = [
  capability({
    id: 'get_emails',
    name: 'Read e-mails',
    description:
      'Lists recent e-mails (emails, mails) of the inbox, newest first, or those that a search finds, each with a snippet, which is only the beginning of its text. With id, reads that one e-mail whole: its text and the list of its attachments.',
    parameters: z.object({
      id: mailId,
      maxResults: z.number().int().min(1).max(50).default(10).describe('how many e-mails'),
      query: z
        .string()
        .max(500)
        .optional()
        .describe('Gmail search, such as from:ann is:unread newer_than:7d; empty for the newest'),
    }),
    examples: ['Show my recent emails', 'Any unread mail from Ann?', 'Summarize the last mail of Ann'],
    async run(api, { id: wanted, maxResults, query }) {
      if (wanted) return { emails: [await readMessage(api, wanted)], more: false }
      const q = query?.trim()
      // without a label, Gmail also lists sent, archived and draft messages
      const where = q ? { q } : { labelIds: 'INBOX' }
      const found = await api.get(listResponse, messagesPath, { maxResults, ...where })
      const emails = await mapInBatches(found.messages, maxConcurrent, ({ id }) => listMessage(api, id))
      return { emails: emails.filter((one) => one !== undefined), more: found.nextPageToken !== undefined }
    },
  }),
  capability({
    id: 'send_email',
    name: 'Send an e-mail',
    description: 'Sends an e-mail (email, mail) from the account of the user.',
    parameters: z.object({
      to: recipients,
      subject: z.string().max(500).describe('one line'),
      body: z.string().max(100_000).describe('plain text'),
    }),
    examples: ['Send Ann an e-mail that I will be late'],
    writes: true,
    async run(api, mail) {
      const raw = Buffer.from(formatMailMessage(mail)).toString('base64url')
      const sent = message.pick({ id: true, threadId: true })
      const { id, threadId } = await api.post(sent, `${messagesPath}/send`, { json: { raw } })
      return { sent: true, id, threadId, to: mail.to, subject: mail.subject }
    },
  }),
]
