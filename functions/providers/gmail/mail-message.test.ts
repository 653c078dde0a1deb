import { describe, expect, it } from 'vitest'
import { formatMailMessage, InvalidMail } from './mail-message.ts'

const buildMail = (parts: Partial<Record<'to' | 'subject' | 'body', string>>) =>
  formatMailMessage({ to: 'ann@example.org', subject: 'Hello', body: 'Hi', ...parts })
const getHead = (message: string) => message.slice(0, message.indexOf('\r\n\r\n'))
const readHeader = (message: string, name: string) =>
  new RegExp(`^${name}: ((?:.*\r\n )*.*)$`, 'm').exec(getHead(message))?.[1] ?? ''
const decodeBody = (message: string) =>
  Buffer.from(message.slice(message.indexOf('\r\n\r\n') + 4), 'base64').toString('utf8')
/** Decodes by RFC 2047: blanks between encoded words do not belong to the text. */
const decodeHeader = (value: string) =>
  value.replace(/\?=\r\n =\?/g, '?==?').replace(/=\?UTF-8\?B\?([^?]*)\?=/g, (_, word: string) =>
    // fails where a character was cut in two
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(word, 'base64')),
  )

it('CAP-05 builds plain text in base64 with the five headers, in lines of at most 76 characters', () => {
  const message = buildMail({ body: `Hi Ann,\nsee you.\r${'x'.repeat(300)}` })
  expect(getHead(message).split('\r\n')).toEqual([
    'To: ann@example.org',
    'Subject: Hello',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset="UTF-8"',
    'Content-Transfer-Encoding: base64',
  ])
  expect(decodeBody(message)).toBe(`Hi Ann,\r\nsee you.\r\n${'x'.repeat(300)}`)
  expect(message.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(Math.max(...message.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(76)
  expect(decodeBody(buildMail({ body: '' }))).toBe('')
})

describe('CAP-05 lets no value add a header', () => {
  it.each([
    ['subject', 'Hi\r\nBcc: eve@example.org'],
    ['subject', 'Hi\nBcc: eve@example.org'],
    ['subject', 'Hi\rBcc: eve@example.org'],
    ['subject', 'Hi\0'],
    ['to', 'ann@example.org\r\nBcc: eve@example.org'],
    ['to', '"Ann\nBcc: eve@example.org" <ann@example.org>'],
    ['to', 'ann@example.org\n'],
  ])('%s %j', (name, value) => {
    expect(() => buildMail({ [name]: value })).toThrow(InvalidMail)
    expect(() => buildMail({ [name]: value })).toThrow(`"${name}" must be one line.`)
  })

  it('keeps a body that looks like headers in the body', () => {
    const message = buildMail({ body: '\r\n\r\nBcc: eve@example.org\r\n.\r\n' })
    expect(getHead(message)).not.toContain('eve')
    expect(message).not.toContain('eve')
    expect(decodeBody(message)).toContain('Bcc: eve@example.org')
  })
})

describe('recipients', () => {
  it.each([
    ['ann@example.org', 'ann@example.org'],
    [' ann@example.org , ben@example.org,', 'ann@example.org, ben@example.org'],
    ['Ann Lee <ann@example.org>', 'Ann Lee <ann@example.org>'],
    ['"Lee, Ann" <ann@example.org>, ben@example.org', '"Lee, Ann" <ann@example.org>, ben@example.org'],
    ['<ann@example.org>', '<ann@example.org>'],
    ['"Ann \\"A\\" Lee" <ann@example.org>', '"Ann \\"A\\" Lee" <ann@example.org>'],
  ])('%j', (to, header) => expect(readHeader(buildMail({ to }), 'To')).toBe(header))

  it('encodes a name that is not ASCII, but never an address', () => {
    const value = readHeader(buildMail({ to: 'Zoë Groß <zoe@example.org>' }), 'To')
    expect(value).toMatch(/^=\?UTF-8\?B\?\S+\?= <zoe@example\.org>$/)
    expect(decodeHeader(value)).toBe('Zoë Groß <zoe@example.org>')
  })

  it.each([20, 27, 36, 60])(
    'folds an encoded name of %i characters and its address into lines of at most 76',
    (length) => {
      const to = `"${'ä'.repeat(length)}" <${'an.address'.repeat(4)}@example.org>`
      const message = buildMail({ to })
      expect(decodeHeader(readHeader(message, 'To')).replace(/\s+/g, ' ')).toBe(to.replaceAll('"', ''))
      expect(Math.max(...message.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(76)
    },
  )

  it.each([
    '',
    ' , ',
    'ann',
    'ann@',
    '@example.org',
    'ann@example',
    'a b@example.org',
    'änn@example.org',
    'ann@exämple.org',
    'ann@a@example.org',
    'ann..b@example.org',
    'Ann <ann@example.org> x',
    'ann@example.org; ben@example.org',
  ])('refuses %j', (to) => expect(() => buildMail({ to })).toThrow(InvalidMail))

  it('are at most 50', () => {
    expect(() =>
      buildMail({ to: Array.from({ length: 51 }, (_, index) => `a${index}@example.org`).join(',') }),
    ).toThrow('more than 50')
  })
})

describe('subjects', () => {
  it.each([
    'Grüße aus Köln',
    'Täglich '.repeat(40).trim(),
    '👩‍👩‍👧‍👦'.repeat(30),
    '漢字'.repeat(60),
    'plain =?UTF-8?B?aGk=?= words',
    `${'a'.repeat(44)}ü`,
  ])('%s', (subject) => {
    const value = readHeader(buildMail({ subject }), 'Subject')
    expect(value).toMatch(/^[\x20-\x7e\r\n]*$/)
    for (const word of value.split('\r\n ')) expect(word).toMatch(/^=\?UTF-8\?B\?[A-Za-z0-9+/=]{1,63}\?=$/)
    expect(decodeHeader(value)).toBe(subject)
  })

  it('replaces half a character', () => {
    expect(decodeHeader(readHeader(buildMail({ subject: 'x\ud83d' }), 'Subject'))).toBe('x\ufffd')
  })
})
