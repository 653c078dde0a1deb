import { expect, it } from 'vitest'
import { formatRecipients, parseRecipients } from '#shared/mail-recipients.ts'
import { InvalidMail, formatMailMessage } from '../../functions/providers/gmail/mail-message.ts'
import { buildConfirmationMail, buildRecoveryMail } from '../../functions/sign-in/mail-templates.ts'
import { mailTexts, toMailLanguage } from '../../functions/sign-in/mail-texts.ts'
import { arbitraryText, fc, limitCpuTime, backtrackingText, wellFormedText } from '../support/fuzz.ts'

/** A message as RFC 5322 reads it: unfolded headers, and the body decoded. */
function readMail(message: string) {
  expect(message).not.toMatch(/[^\r]\n|\r[^\n]/)
  const end = message.indexOf('\r\n\r\n')
  const lines = message.slice(0, end).split('\r\n')
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(line.includes('=?UTF-8?B?') ? 76 : 998)
  const headers = lines
    .join('\r\n')
    .replace(/\r\n /g, ' ')
    .split('\r\n')
    .map((line) => /^([\w-]+): (.*)$/.exec(line) ?? [])
  const body = message.slice(end + 4)
  for (const line of body.split('\r\n')) expect(line).toMatch(/^[A-Za-z0-9+/]{0,76}={0,2}$/)
  return {
    names: headers.map(([, name]) => name),
    value: (wanted: string) => headers.find(([, name]) => name === wanted)?.[2] ?? '',
    body: Buffer.from(body, 'base64').toString(),
  }
}

/** RFC 2047: white space between two encoded words is ignored. */
const decode = (value: string) =>
  value
    .replace(/\?=\s+(?==\?)/g, '?=')
    .replace(/=\?UTF-8\?B\?([A-Za-z0-9+/=]*)\?=/g, (_, word: string) =>
      Buffer.from(word, 'base64').toString(),
    )

const headerNames = ['To', 'Subject', 'MIME-Version', 'Content-Type', 'Content-Transfer-Encoding']
const oneLine = wellFormedText(300).map((text) => text.replace(/[\r\n\0]/g, ''))
const mailbox = fc
  .tuple(fc.stringMatching(/^[a-z0-9.+_-]{1,20}$/), fc.domain())
  .map(([name, domain]) => `${name}@${domain}`)
const recipient = fc.oneof(
  mailbox,
  fc.tuple(wellFormedText(100), mailbox).map(([name, one]) => `${name} <${one}>`),
  fc.tuple(wellFormedText(100), mailbox).map(([name, one]) => `"${name.replace(/["\\]/g, '\\$&')}" <${one}>`),
)

function formatMail(mail: { to: string; subject: string; body: string }): string | undefined {
  try {
    return limitCpuTime(() => formatMailMessage(mail))
  } catch (error) {
    if (error instanceof InvalidMail) return undefined
    throw error
  }
}

it('any input gives five headers and the text, or a refusal', () => {
  const to = fc.oneof(
    arbitraryText(),
    recipient,
    fc.array(recipient, { maxLength: 60 }).map((people) => people.join(', ')),
    backtrackingText(['"', '\\"', ',', '<', '>', '@', 'a@b.example'], 4_000),
  )
  fc.assert(
    fc.property(
      to,
      fc.oneof(arbitraryText(), oneLine, arbitraryText(500)),
      arbitraryText(500),
      (people, subject, body) => {
        const message = formatMail({ to: people, subject, body })
        if (message === undefined) return
        const mail = readMail(message)
        expect(mail.names).toEqual(headerNames)
        expect(mail.body).toBe(body.toWellFormed().replace(/\r\n|\r|\n/g, '\r\n'))
        expect(decode(mail.value('Subject'))).toBe(
          subject.toWellFormed().trimStart() === '' ? decode(mail.value('Subject')) : subject.toWellFormed(),
        )
      },
    ),
  )
})

it('normalised recipients are the ones that were read, and normalising again changes nothing (H3)', () => {
  const to = fc.oneof(
    arbitraryText(),
    fc.array(recipient, { maxLength: 50 }).map((people) => people.join(', ')),
    backtrackingText(['"', '\\"', ',', '<', '>', '@', 'a@b.example'], 4_000),
  )
  fc.assert(
    fc.property(to, (text) => {
      const parsed = limitCpuTime(() => parseRecipients(text))
      if ('problem' in parsed) return
      const stored = formatRecipients(parsed.recipients)
      expect(limitCpuTime(() => parseRecipients(stored))).toEqual(parsed)
      expect(stored).not.toMatch(/\s\s/)
    }),
  )
})

it('names and subjects are decoded as written, and mails go to the named recipients', () => {
  fc.assert(
    fc.property(oneLine, fc.array(mailbox, { minLength: 1, maxLength: 50 }), (name, people) => {
      const quoted = name.replace(/["\\]/g, '\\$&')
      const message = formatMail({
        to: people.map((one) => `"${quoted}" <${one}>`).join(','),
        subject: name,
        body: '',
      })
      if (message === undefined) return
      const sent = decode(readMail(message).value('To'))
      for (const one of people) expect(sent).toContain(one)
      const addresses = [...sent.matchAll(/<([^<>]*)>(?=,|$)/g)].map(([, one]) => one)
      if (!/[<>]/.test(name) && name.trim() !== '') expect(addresses).toEqual(people)
    }),
  )
})

it('a name in a mail of the product is text, and its links are the product’s', () => {
  fc.assert(
    fc.property(
      arbitraryText(),
      arbitraryText(),
      arbitraryText(40),
      fc.constantFrom(...Object.keys(mailTexts).map(toMailLanguage)),
      (name, email, brandName, language) => {
        fc.pre(email.isWellFormed())
        const context = {
          origin: 'https://juno.example',
          brandName,
          email,
          name,
          language,
          codeParameter: '{####}',
        }
        for (const { html } of [buildConfirmationMail(context), buildRecoveryMail(context)]) {
          const tags = [...html.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, tag]) => tag)
          for (const tag of tags)
            expect(['html', 'head', 'meta', 'title', 'body', 'div', 'p', 'a', 'strong']).toContain(tag)
          const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link)
          expect(links).toHaveLength(2)
          for (const link of links) expect(new URL(link ?? '').origin).toBe('https://juno.example')
        }
      },
    ),
  )
})
