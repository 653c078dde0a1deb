import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { parseRecipients } from '#shared/mail-recipients.ts'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'

/** The arguments of a call that sends or stores an e-mail. */
export interface MailParts {
  /** recipients as in a header: addresses, with or without names, separated by commas */
  to: string
  subject: string
  body: string
}

/** Whether a call is known to send an e-mail at once. Another tool with the same arguments may store a draft. */
export const sendsMail = ({ mcp_id, tool }: Pick<ApprovalRequest, 'mcp_id' | 'tool'>): boolean =>
  mcp_id === 'gmail' && tool === 'gmail_send_email'

/**
 * Parses the e-mail of a tool call.
 * @returns undefined when there are other arguments or the recipients cannot be parsed: then the raw arguments are shown
 */
export function parseMail(toolArguments: ApprovalRequest['arguments']): MailParts | undefined {
  const { to, subject, body, ...others } = toolArguments
  if (typeof to !== 'string' || typeof subject !== 'string' || typeof body !== 'string') return undefined
  const mail = { to, subject, body }
  return Object.keys(others).length === 0 && hasValidRecipients(mail) ? mail : undefined
}

/** Whether the recipients can be parsed: only then does the card show who gets the e-mail. */
const hasValidRecipients = ({ to }: MailParts): boolean => !('problem' in parseRecipients(to))

/** Whether the e-mail can be shown as it will arrive: it has no hidden characters, and its recipients can be parsed. */
export function isReadable(mail: MailParts): boolean {
  const text = Object.values(mail).join('\n')
  return revealHiddenCharacters(text) === text && hasValidRecipients(mail)
}
