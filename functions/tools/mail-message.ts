/** What a mail that cannot be sent has wrong, for the model to put right. */
export class MailRefused extends Error {}

interface Mail {
  to: string
  subject: string
  body: string
}

const maxRecipients = 50
/** RFC 5321 */
const maxAddress = 254
/** A longer name is written in words that can be cut between lines. */
const maxPlainName = 60
const maxBesideWord = 66
/** RFC 5322: a line has at most 998 characters. */
const maxPlainLine = 900
/** RFC 2047: a line with encoded words has at most 76 characters: `Subject: ` and one of 64. */
const encodedWordBytes = 39
const address = /^[^\s@<>()[\],;:\\"]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i

/**
 * An RFC 5322 message of plain text. Nothing that a model or a person writes can add a header: lines are refused where a line
 * must not end, the body is base64, and what is not ASCII is encoded.
 * @throws MailRefused
 */
export function mailMessage({ to, subject, body }: Mail): string {
  for (const [name, value] of [
    ['to', to],
    ['subject', subject],
  ] as const)
    if (/[\r\n\0]/.test(value)) throw new MailRefused(`"${name}" must be one line.`)
  const people = recipients(to)
  const lines = [
    `To: ${people.join(people.join(', ').length > 70 ? ',\r\n ' : ', ')}`,
    `Subject: ${encodedText(subject)}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset="UTF-8"',
    'Content-Transfer-Encoding: base64',
  ]
  const bytes = Buffer.from(body.toWellFormed().replace(/\r\n|\r|\n/g, '\r\n'))
  const encoded = bytes.toString('base64').replace(/.{1,76}/g, '$&\r\n')
  return `${lines.join('\r\n')}\r\n\r\n${encoded || '\r\n'}`
}

/** @returns each as it stands in the header. @throws MailRefused */
function recipients(to: string): string[] {
  const parts = (to.match(/(?:"(?:[^"\\]|\\.)*"|[^",])+/g) ?? []).map((part) => part.trim()).filter(Boolean)
  if (parts.length === 0) throw new MailRefused('"to" names nobody.')
  if (parts.length > maxRecipients) throw new MailRefused(`"to" names more than ${maxRecipients} people.`)
  return parts.map((part) => {
    const [, name = '', bracketed] = /^(.*?)\s*<([^<>]*)>$/.exec(part) ?? []
    const mailbox = (bracketed ?? part).trim()
    if (
      mailbox.length > maxAddress ||
      !address.test(mailbox) ||
      /[^\x21-\x7e]/.test(mailbox) ||
      mailbox.includes('..')
    )
      throw new MailRefused(`"${mailbox.slice(0, 100)}" is no e-mail address.`)
    const display = name
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replace(/\\(.)/g, '$1')
    if (display === '') return bracketed === undefined ? mailbox : `<${mailbox}>`
    const shown = displayName(display)
    const last = shown.slice(shown.lastIndexOf('\n') + 1)
    const full = last.startsWith('=?') && last.length + mailbox.length > maxBesideWord
    return `${shown}${full ? '\r\n' : ''} <${mailbox}>`
  })
}

function displayName(name: string): string {
  if (/[^\x20-\x7e]/.test(name) || name.includes('=?') || name.length > maxPlainName) return encoded(name)
  return /^[\w !#$%&'*+/=?^`{|}~-]+$/.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`
}

/** RFC 2047: words of base64 where the text is not plain, cut between characters, one to a line. */
function encodedText(text: string): string {
  const isPlain = !/[^\x20-\x7e]/.test(text) && !text.includes('=?') && text.length <= maxPlainLine
  return isPlain ? text : encoded(text)
}

function encoded(text: string): string {
  const words: string[] = []
  let word = ''
  for (const character of text.toWellFormed()) {
    if (Buffer.byteLength(word + character) > encodedWordBytes) {
      words.push(word)
      word = ''
    }
    word += character
  }
  words.push(word)
  return words.map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`).join('\r\n ')
}
