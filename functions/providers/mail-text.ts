import * as z from 'zod'
import { cleanText } from '../platform/untrusted-text.ts'
import { shortText } from './schemas.ts'

/** Of the text of one mail; the model reads it page by page. */
const maxCharacters = 400_000

/** The parameter of a tool that lists mails with which it reads one; models give an empty one for none. */
export const mailId = z
  .string()
  .trim()
  .max(1_000)
  .optional()
  .describe('id of one e-mail of a list, to read it whole; the other parameters then do nothing')

/** What is attached to a mail, for the model. The size is in bytes. */
export interface MailAttachment {
  name: string
  type: string
  size?: number
}

/** Describes a file in a mail. @param size undefined if it is not known */
export const toAttachment = (name: unknown, type: unknown, size: number | undefined): MailAttachment => ({
  name: shortText(name),
  type: shortText(type).toLowerCase(),
  ...(size !== undefined && { size }),
})

/**
 * What a mail that is read whole has beside the fields of a list. A long result is given to the model in pages, so the text comes last.
 * @param content `isPart`: there is text that could not be read; `embeddedImages`: how many pictures stand in the text
 */
export function toWholeMail({
  text,
  isPart,
  attachments,
  embeddedImages,
}: {
  text: string
  isPart: boolean
  attachments: readonly MailAttachment[]
  embeddedImages: number
}) {
  const clean = cleanText(text, Infinity)
  const isCut = isPart || clean.length > maxCharacters
  return {
    attachments,
    ...(embeddedImages > 0 && { embeddedImages }),
    ...(isCut && { textCut: true }),
    text: cleanText(clean, maxCharacters),
  }
}
