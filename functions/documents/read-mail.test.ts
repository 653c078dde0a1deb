import { expect, it } from 'vitest'
import { readingOf } from '../../test/support/read-documents.ts'
import { readMail } from './read-mail.ts'

const read = (...lines: string[]) => readMail(new TextEncoder().encode(lines.join('\r\n')))

it('reads the fields, the text and the names of attachments, and counts what is not read', async () => {
  const extracted = await read(
    'From: =?utf-8?Q?Ann_Ex=C3=A4mple?= <ann@example.org>',
    'To: Bob <bob@example.com>, friends: c@example.com, d@example.com;',
    'Subject: =?koi8-r?B?5M/Hz9fP0g==?=',
    'Date: Wed, 25 Nov 2026 10:00:00 +0100',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Gr=FC=DFe',
    '--b',
    'Content-Type: application/pdf; name="terms.pdf"',
    'Content-Disposition: attachment; filename="terms.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    'JVBERi0=',
    '--b',
    'Content-Type: image/png; name="map.png"',
    'Content-Transfer-Encoding: base64',
    '',
    'iVBORw0=',
    '--b--',
  )
  expect(extracted.text).toBe(
    [
      'From: Ann Exämple <ann@example.org>',
      'To: Bob <bob@example.com>, friends: c@example.com, d@example.com',
      'Date: 2026-11-25T09:00:00.000Z',
      'Subject: Договор',
      'Attachments: terms.pdf (application/pdf), map.png (image/png)',
      '',
      'Grüße',
    ].join('\n'),
  )
  expect(readingOf(extracted)).toEqual({
    status: 'part',
    note: '1 attached file and 1 picture were not read',
  })
})

it.each([
  [
    'a page without its scripts',
    ['Content-Type: text/html', '', '<p>Hello <b>you</b></p><script>x()</script>'],
    'Hello you',
  ],
  [
    'a message within a message',
    ['Content-Type: message/rfc822', '', 'Subject: inner', '', 'inner text'],
    /Subject: inner[^]*inner text/,
  ],
  ['a text without fields', ['', 'only text'], 'only text'],
])('reads %s', async (_, lines, text) => {
  expect((await read(...lines)).text).toMatch(text)
})

it('refuses a message that is nested too deeply', async () => {
  const lines = Array.from({ length: 100 }, (_, at) => [
    `Content-Type: multipart/mixed; boundary=b${at}`,
    '',
    `--b${at}`,
  ])
  await expect(read(...lines.flat(), '', 'x')).rejects.toMatchObject({ problem: 'unreadable' })
})

it('keeps the columns of a table in HTML whose first header is empty', async () => {
  const { text } = await read(
    'Content-Type: text/html',
    '',
    '<table><tr><th></th><th>May</th></tr><tr><td>Sales</td><td>7</td></tr></table>',
  )
  expect(text).toBe('\tMay\nSales\t7')
})

it('refuses a message whose parts are nested without end', async () => {
  const nest = (depth: number): string[] =>
    depth === 0
      ? ['Content-Type: text/plain', '', 'deep']
      : [
          `Content-Type: multipart/mixed; boundary="b${depth}"`,
          '',
          `--b${depth}`,
          ...nest(depth - 1),
          `--b${depth}--`,
        ]
  expect((await read(...nest(30))).text).toBe('deep')
  await expect(read(...nest(40))).rejects.toMatchObject({ problem: 'unreadable' })
})

it.each<[what: string, lines: string[], text: string]>([
  ['an address without a name', ['From: ann@example.org'], 'From: ann@example.org'],
  ['a name with an address', ['From: Ann <ann@example.org>'], 'From: Ann <ann@example.org>'],
  ['several receivers', ['To: a@example.org, b@example.org'], 'To: a@example.org, b@example.org'],
  ['copies', ['Cc: a@example.org, Bo <b@example.org>'], 'Cc: a@example.org, Bo <b@example.org>'],
  ['a subject of several lines', ['Subject: one', '\ttwo'], 'Subject: one two'],
])('names %s', async (_, fields, text) => {
  expect(await read(...fields, '', 'body')).toEqual({
    text: `${text}\n\nbody`,
    length: text.length + 6,
  })
})

it('takes the text of a message that has a page too, and names files without a name by their type', async () => {
  const extracted = await read(
    'Content-Type: multipart/mixed; boundary="m"',
    '',
    '--m',
    'Content-Type: multipart/alternative; boundary="a"',
    '',
    '--a',
    'Content-Type: text/plain',
    '',
    ' plain ',
    '--a',
    'Content-Type: text/html',
    '',
    '<p>page</p>',
    '--a--',
    '--m',
    'Content-Type: image/gif',
    'Content-Disposition: attachment',
    '',
    'x',
    '--m--',
  )
  expect(extracted).toMatchObject({
    text: 'Attachments: image/gif\n\nplain',
    omitted: [{ what: 'pictures', count: 1 }],
  })
})
