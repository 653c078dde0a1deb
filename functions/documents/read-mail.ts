import PostalMime from 'postal-mime'
import type { Address, Attachment, Email } from 'postal-mime'
import { detectUnicode, isUtf8 } from '../files/text-bytes.ts'
import { decodeText } from './decode-text.ts'
import { DocumentError, OmissionCounter, TextCollector, type ExtractedText } from './extracted-text.ts'
import { readHtmlText } from './html-text.ts'
import { repairBoundaries, repairEncodings, repairFields } from './mail-repairs.ts'
import type { PartReader } from './part-reader.ts'
import { addText } from './read-text.ts'

const maxNesting = 32

function formatAddress({ name, address, group }: Address): string {
  if (group) return `${name}: ${group.map(formatAddress).join(', ')}`
  return [name, address && (name ? `<${address}>` : address)].filter(Boolean).join(' ')
}

const formatAddresses = (addresses: readonly Address[] | undefined) =>
  (addresses ?? []).map(formatAddress).join(', ')

/** Words and numbers, to compare two forms of the same message. Addresses and what stands for a picture are in one form only. */
function listWords(text: string): string[] {
  const plain = text
    .replaceAll(/(?:https?|cid|mailto):[^\s<>"')\]]{1,2000}/gi, ' ')
    .replaceAll(/\[(?:image|picture|cid|inline)[^\]\n]{0,300}\]/gi, ' ')
  return plain.toLowerCase().match(/[\p{L}\p{N}\p{M}]{1,100}/gu) ?? []
}

/** Marks that only the page has stand between letters that are one word in the text. */
const listPageWords = (page: string) =>
  new Set([...listWords(page), ...listWords(page.replaceAll(/[\^~_()]/g, ''))])

const listUnique = (text: string, known: ReadonlySet<string>) =>
  text
    .split('\n')
    .filter((line) => listWords(line).some((word) => !known.has(word)))
    .join('\n')

/**
 * Joins the forms of a message's body: the one with more words, and the lines of the other that have further words. Programs write teasers,
 * other sums, or nothing into one of them.
 */
function joinForms(plain: string, page: string): string {
  if (plain === '' || page === '') return plain || page
  const pageWords = listPageWords(page)
  const plainWords = new Set(listWords(plain))
  const onlyPlain = listUnique(plain, pageWords)
  if (onlyPlain === '') return page
  const onlyPage = listUnique(page, plainWords)
  if (onlyPage === '') return plain
  return listWords(page).length >= listWords(plain).length
    ? `${page}\n\n[only in the plain text of this message]\n${onlyPlain}`
    : `${plain}\n\n[only in the HTML of this message]\n${onlyPage}`
}

const findHeader = (mail: Email, name: string) =>
  mail.headers.find(({ key }) => key === name)?.value.trim() ?? ''

const isSavedPage = (mail: Email) =>
  mail.html !== undefined &&
  (findHeader(mail, 'snapshot-content-location') !== '' ||
    (/^multipart\/related|^text\/html/i.test(findHeader(mail, 'content-type')) &&
      !mail.to &&
      !mail.messageId &&
      !mail.from?.address))

const nameAttachment = ({ filename, mimeType }: Attachment) =>
  filename ? `${filename} (${mimeType})` : mimeType

function formatFields(mail: Email): string {
  const from = formatAddresses(mail.from && [mail.from])
  const replyTo = formatAddresses(mail.replyTo)
  const sender = formatAddresses(mail.sender && [mail.sender])
  const fields = {
    From: from,
    Sender: sender === from ? '' : sender,
    'Reply-To': replyTo === from ? '' : replyTo,
    To: formatAddresses(mail.to),
    Cc: formatAddresses(mail.cc),
    Bcc: formatAddresses(mail.bcc),
    // as it was sent: the day differs between zones
    Date: findHeader(mail, 'date'),
    Subject: mail.subject ?? '',
    Attachments: mail.attachments.map(nameAttachment).join(', '),
  }
  return Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value.replace(/\s+/g, ' ')}`)
    .join('\n')
}

/** Its fields alone, which are letters: an attached file may have zeros. */
const unicodeBytes = 512

/** Older programs send letters without saying in which encoding. */
async function toDeclared(bytes: Uint8Array): Promise<Uint8Array> {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // as editors save what was copied
  if (detectUnicode(bytes.subarray(0, unicodeBytes))?.startsWith('utf-16'))
    return Buffer.from((await decodeText(bytes)).text)
  if (
    isUtf8(bytes) ||
    content.includes(0) ||
    /charset|content-transfer-encoding:\s{0,5}binary/i.test(content.toString('latin1'))
  )
    return bytes
  return Buffer.from((await decodeText(bytes)).text)
}

/** Flowed lines stay as they are written: the library would join a quotation with the answer below (RFC 3676, 4.5). */
const keepLines = (message: string) =>
  /format="?flowed/i.test(message)
    ? message.replaceAll(/^(content-type:[^]{0,200}?format="?)flowed/gim, '$1fixed ')
    : message

const repairCharsets = (message: string) =>
  message.replaceAll(/(\bcharset\s{0,5}=\s{0,5}")([\w.:-]{1,40})[;, ]{1,5}"/gi, '$1$2"')

/** Old programs of Microsoft send it (RFC 2152); no decoder of today knows it. */
const declaresUtf7 = /\bcharset\s{0,5}=\s{0,5}"?(?:unicode-1-1-)?utf-?7\b/i

const decodeUtf7 = (text: string) =>
  text.replaceAll(/\+([A-Za-z\d/]{0,2000})(-|(?![A-Za-z\d/+]))/g, (whole, letters: string, end: string) => {
    if (letters === '') return end === '-' ? '+' : whole
    const bytes = Buffer.from(letters, 'base64')
    // UTF-16 has an even number of bytes; other texts have a plus sign
    return bytes.length % 2 === 0 && bytes.length > 0 ? bytes.swap16().toString('utf16le') : whole
  })

async function prepare(bytes: Uint8Array): Promise<Uint8Array> {
  const message = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const fields = await repairFields(message)
  const prepared = await repairEncodings(repairBoundaries(keepLines(repairCharsets(fields))))
  return prepared === message ? bytes : Buffer.from(prepared, 'latin1')
}

async function parse(bytes: Uint8Array): Promise<Email> {
  const mail = await PostalMime.parse(await prepare(await toDeclared(bytes)), {
    maxNestingDepth: maxNesting,
    // parts are read one by one
    forceRfc822Attachments: true,
  }).catch((cause: unknown) => {
    throw new DocumentError('unreadable', 'not an e-mail message', { cause })
  })
  const isUtf7 = declaresUtf7.test(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'),
  )
  if (!isUtf7) return mail
  return {
    ...mail,
    ...(mail.text !== undefined && { text: decodeUtf7(mail.text) }),
    ...(mail.html !== undefined && { html: decodeUtf7(mail.html) }),
  }
}

const toBytes = ({ content }: Attachment) =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content as ArrayBuffer)

function readSavedPage(mail: Email, omissions: OmissionCounter): string {
  for (const { mimeType } of mail.attachments)
    if (mimeType === 'text/css') omissions.add('styles')
    else if (/script/.test(mimeType)) omissions.add('scripts')
    else omissions.add(mimeType.startsWith('image/') ? 'pictures' : 'attachments')
  const address = findHeader(mail, 'snapshot-content-location') || findHeader(mail, 'content-location')
  const own = new OmissionCounter()
  const text = readHtmlText(mail.html ?? '', { omissions: own, countsCode: true, hasTitle: true })
  omissions.addPage(own)
  return [address && `Address: ${address}`, text].filter(Boolean).join('\n\n')
}

async function readMessage(
  bytes: Uint8Array,
  parts: PartReader,
  omissions: OmissionCounter,
): Promise<string> {
  const mail = await parse(bytes)
  if (isSavedPage(mail)) return readSavedPage(mail, omissions)
  const page = mail.html === undefined ? '' : readHtmlText(mail.html, { omissions }).trimEnd()
  const body = joinForms(mail.text?.trim() ?? '', page.trim() === '' ? '' : page)
  const attached: string[] = []
  for (const attachment of mail.attachments) {
    // the form of an encrypted message (RFC 3156, 4); what is encrypted follows
    if (attachment.mimeType === 'application/pgp-encrypted') continue
    const part = { name: attachment.filename ?? '', type: attachment.mimeType, bytes: toBytes(attachment) }
    const text = await parts.read(part, omissions)
    if (text !== undefined) attached.push(`[Attached file: ${nameAttachment(attachment)}]\n${text}`)
  }
  const message = [formatFields(mail), body].filter((part) => part !== '').join('\n\n')
  // those of attached files are counted by their readers
  omissions.add('damagedCharacters', message.split('\ufffd').length - 1)
  return [message, ...attached].filter((part) => part !== '').join('\n\n')
}

/** An e-mail message (.eml), or a page that was saved as one (.mhtml). */
export async function readMail(bytes: Uint8Array, parts: PartReader): Promise<ExtractedText> {
  const omissions = new OmissionCounter()
  const text = new TextCollector()
  addText(text, await readMessage(bytes, parts, omissions))
  return { ...text.end(), ...omissions.list() }
}

const mailField =
  /^(?:from|to|cc|bcc|date|subject|sender|reply-to|return-path|delivered-to|received|message-id|mime-version|status|content-[\w-]{1,40}|x-[\w-]{1,80}):/i
const anyField = /^[\w-]{1,76}:/
const separatorTime = /\b\d{1,2}:\d{2}\b.*\b\d{4}\b|\b\d{4}\b.*\b\d{1,2}:\d{2}\b/
/** The first line of a patch that git writes: people paste patches into messages, and files consist of them. */
const patchLine = /^From [\da-f]{40,64} Mon Sep 17 00:00:00 2001/
const maxLineBytes = 1_000

/** Divides a mailbox at the lines that begin with 'From ' behind a blank one, before a message (RFC 4155): texts have such lines too. */
function* divideMailbox(bytes: Uint8Array): Generator<Buffer> {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const readLine = (at: number) => {
    const end = content.indexOf('\n', at)
    const next = end < 0 ? content.length : end + 1
    return { line: content.toString('latin1', at, Math.min(next, at + maxLineBytes)).trimEnd(), next }
  }
  const arePatches = patchLine.test(readLine(0).line)
  const isStart = (at: number) => {
    const { line, next } = readLine(at)
    const following = readLine(next).line
    // without a sender; some programs write no blank line before
    if (line === 'From') return mailField.test(following)
    if (!/\n\r?\n$/.test(content.toString('latin1', Math.max(0, at - 3), at))) return false
    if (patchLine.test(line)) return arePatches
    return mailField.test(following) || (separatorTime.test(line) && anyField.test(following))
  }
  let start = 0
  while (start < content.length) {
    let next = content.indexOf('\nFrom ', start)
    while (next >= 0 && !isStart(next + 1)) next = content.indexOf('\nFrom ', next + 1)
    const end = next < 0 ? content.length : next + 1
    const lineEnd = content.indexOf('\n', start)
    if (lineEnd >= 0 && lineEnd < end) yield content.subarray(lineEnd + 1, end)
    start = end
  }
}

export async function readMailbox(bytes: Uint8Array, parts: PartReader): Promise<ExtractedText> {
  const omissions = new OmissionCounter()
  const text = new TextCollector()
  let number = 0
  for (const message of divideMailbox(bytes)) {
    number += 1
    if (text.isFull) {
      omissions.add('messages')
      continue
    }
    const unescaped = message.includes('\n>From ')
      ? Buffer.from(message.toString('latin1').replaceAll(/^>(>{0,20}From )/gm, '$1'), 'latin1')
      : message
    try {
      addText(
        text,
        `${number > 1 ? '\n\n' : ''}Message ${number}\n${await readMessage(unescaped, parts, omissions)}`,
      )
    } catch (error) {
      // one damaged message does not cost the others
      if (!(error instanceof DocumentError) || error.problem !== 'unreadable') throw error
      omissions.add('parts')
    }
  }
  return { ...text.end(), ...omissions.list() }
}
