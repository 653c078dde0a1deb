import * as z from 'zod'
import { htmlToText } from '../../platform/untrusted-text.ts'
import { type MailAttachment, toAttachment } from '../mail-text.ts'

const header = z.object({ name: z.string().nullish(), value: z.string().nullish() })
/** https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages.attachments */
export const partBody = z.object({
  size: z.number().nullish(),
  /** base64url; absent for what has parts, and for what is stored apart */
  data: z.string().nullish(),
  attachmentId: z.string().nullish(),
})
/** https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages#MessagePart */
export const part = z.object({
  mimeType: z.string().nullish(),
  filename: z.string().nullish(),
  headers: z.array(header).nullish(),
  body: partBody.nullish(),
  get parts(): z.ZodOptional<z.ZodNullable<z.ZodArray<typeof part>>> {
    return z.array(part).nullish()
  },
})
export type Part = z.output<typeof part>

/** The value of a header, whose name may be in any case. */
export const findHeader = ({ headers }: Pick<Part, 'headers'>, name: string): string =>
  headers?.find((one) => one.name?.toLowerCase() === name.toLowerCase())?.value ?? ''

const getType = ({ mimeType }: Part) => mimeType?.toLowerCase() ?? ''
const isContainer = (one: Part) => getType(one).startsWith('multipart/')
const isHtml = (one: Part) => getType(one) === 'text/html'

/** Whether a part is a text that is shown as the mail's own (RFC 2183). */
function isText(one: Part): boolean {
  if (getType(one) !== 'text/plain' && !isHtml(one)) return false
  const disposition = findHeader(one, 'Content-Disposition').trim().toLowerCase()
  return !disposition.startsWith('attachment') && (!one.filename || disposition.startsWith('inline'))
}

function decodeAs(bytes: Uint8Array, encoding: string, fatal = false): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes)
  } catch {
    // not valid, or a name that is not known
    return undefined
  }
}

/**
 * Decodes a text. Gmail converts texts to UTF-8 and leaves the encoding in their header as it was, but not with all of them. Encodings that
 * shift with an escape character are valid UTF-8, too.
 */
function decodeText(data: string, contentType: string): string {
  const bytes = Buffer.from(data, 'base64url')
  const charset = /\bcharset\s{0,9}=\s{0,9}"?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? 'utf-8'
  const isShifted = /^iso-2022/i.test(charset) && bytes.includes(0x1b)
  return (
    (isShifted ? decodeAs(bytes, charset) : undefined) ??
    decodeAs(bytes, 'utf-8', true) ??
    decodeAs(bytes, charset) ??
    bytes.toString('utf8')
  )
}

/** Letters and digits, without addresses, which only one of two forms may have. */
const countLetters = (text: string) =>
  (text.replace(/https?:\/\/[^\s)>\]]{1,2000}/gi, ' ').match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).join('').length

/** The form of a text that says the most: in the others, programs write that there is another one, a teaser, or nothing. */
const chooseForm = (forms: readonly string[]) =>
  forms
    .map((text) => ({ text, letters: countLetters(text) }))
    .reduce((best, form) => (form.letters > best.letters ? form : best), { text: '', letters: -1 }).text

/** Reads a body that is stored apart. @returns undefined if it cannot be read */
export type FetchBody = (attachmentId: string) => Promise<string | undefined>

/** How many texts that are stored apart are fetched. */
const maxFetches = 5

/** Reads the text of a mail, and what is attached to it. */
export async function readParts(payload: Part | null | undefined, fetchBody: FetchBody) {
  let fetches = 0
  let isPart = false
  let html = ''

  async function readData({ body }: Part): Promise<string> {
    // an inline text has both in some answers
    if (body?.data || !body?.attachmentId) return body?.data ?? ''
    fetches += 1
    const data = fetches > maxFetches ? undefined : await fetchBody(body.attachmentId)
    isPart ||= data === undefined
    return data ?? ''
  }

  async function readText(one: Part): Promise<string> {
    if (isContainer(one)) {
      const texts: string[] = []
      for (const child of one.parts ?? []) {
        const text = await readText(child)
        // some programs put both forms beside each other
        if (text !== '' && !texts.includes(text)) texts.push(text)
      }
      return getType(one) === 'multipart/alternative' ? chooseForm(texts) : texts.join('\n\n')
    }
    if (!isText(one)) return ''
    const text = decodeText(await readData(one), findHeader(one, 'Content-Type'))
    if (!isHtml(one)) return text.trim()
    html += text
    return htmlToText(text, { withLinks: true })
  }

  const text = payload ? await readText(payload) : ''
  const attachments: MailAttachment[] = []
  let embeddedImages = 0

  /** Whether a part is a picture that stands in the text: programs send those of signatures as files with names. */
  function isEmbedded(one: Part): boolean {
    const id = findHeader(one, 'Content-ID').trim().replace(/^<|>$/g, '')
    return getType(one).startsWith('image/') && id !== '' && html.includes(`cid:${id}`)
  }

  function listAttachments(one: Part): void {
    if (isContainer(one)) for (const child of one.parts ?? []) listAttachments(child)
    else if (isText(one)) return
    else if (isEmbedded(one)) embeddedImages += 1
    else {
      // a mail within this one: what is attached to it is its own, and it may have neither a name nor a size
      const [inner] = one.parts ?? []
      const name = one.filename || findHeader(inner ?? {}, 'Subject')
      attachments.push(toAttachment(name, one.mimeType, inner ? undefined : (one.body?.size ?? undefined)))
    }
  }

  if (payload) listAttachments(payload)
  return { text, isPart, attachments, embeddedImages }
}
