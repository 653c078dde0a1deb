import PostalMime from 'postal-mime'
import type { Address } from 'postal-mime'
import { DocumentError, OmissionCounter, TextCollector, type ExtractedText } from './extracted-text.ts'
import { readHtmlText } from './html-text.ts'
import { addText } from './read-text.ts'

/** Messages within messages. */
const maxNesting = 32

function formatAddress({ name, address, group }: Address): string {
  if (group) return `${name}: ${group.map(formatAddress).join(', ')}`
  return [name, address && (name ? `<${address}>` : address)].filter(Boolean).join(' ')
}

const formatAddresses = (addresses: readonly Address[] | undefined) =>
  (addresses ?? []).map(formatAddress).join(', ')

/**
 * Reads an e-mail message (.eml): its fields, its text, and the names of its attachments.
 * @throws DocumentError
 */
export async function readMail(bytes: Uint8Array): Promise<ExtractedText> {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: maxNesting }).catch((cause: unknown) => {
    throw new DocumentError('unreadable', 'not an e-mail message', { cause })
  })
  const fields = {
    From: formatAddresses(mail.from && [mail.from]),
    To: formatAddresses(mail.to),
    Cc: formatAddresses(mail.cc),
    Date: mail.date ?? '',
    Subject: mail.subject ?? '',
    Attachments: mail.attachments
      .map(({ filename, mimeType }) => (filename ? `${filename} (${mimeType})` : mimeType))
      .join(', '),
  }
  const header = Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value.replace(/\s+/g, ' ')}`)
    .join('\n')
  // only the HTML, if the sender gave no text
  const body = mail.text?.trim() ?? readHtmlText(mail.html ?? '')
  const text = new TextCollector()
  addText(text, [header, body].filter((part) => part !== '').join('\n\n'))
  const omissions = new OmissionCounter()
  const pictures = mail.attachments.filter(({ mimeType }) => mimeType.startsWith('image/')).length
  omissions.add('attachments', mail.attachments.length - pictures)
  omissions.add('pictures', pictures)
  const omitted = omissions.end()
  return { ...text.end(), ...(omitted.length > 0 && { omitted }) }
}
