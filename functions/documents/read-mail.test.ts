import { expect, it } from 'vitest'
import { readingOf } from '../../test/support/read-documents.ts'
import { readDocument } from './readers.ts'

const read = (...lines: string[]) => readDocument('mail', new TextEncoder().encode(lines.join('\r\n')))

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
      'Date: Wed, 25 Nov 2026 10:00:00 +0100',
      'Subject: Договор',
      'Attachments: terms.pdf (application/pdf), map.png (image/png)',
      '',
      'Grüße',
    ].join('\n'),
  )
  expect(readingOf(extracted)).toMatchObject({
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

it('reads letters whose encoding is named with a mark behind it', async () => {
  const { text } = await read('Content-Type: text/plain; charset="UTF-8;"', '', 'Größe')
  expect(text).toBe('Größe')
})

it.each([
  ['', true],
  ['\ufeff', true],
  ['\ufeff', false],
])('reads a message that an editor saved in UTF-16: %j, little-endian: %s', async (mark, isLittle) => {
  const lines = [
    'From: a@b.test',
    'To: c@d.test',
    'Subject: Größe',
    'Content-Type: text/plain; charset=utf-8',
  ]
  const bytes = Buffer.from(`${mark}${[...lines, '', 'Die Größe ist 7 €.'].join('\r\n')}`, 'utf16le')
  const { text } = await readDocument('mail', new Uint8Array(isLittle ? bytes : bytes.swap16()))
  expect(text).toBe('From: a@b.test\nTo: c@d.test\nSubject: Größe\n\nDie Größe ist 7 €.')
})

it('reads UTF-8 that is declared as another encoding', async () => {
  const html = ['Content-Type: text/html; charset=windows-1252', '', '<p>• Größe “x” – 5 €</p>']
  expect((await read(...html)).text).toBe('• Größe “x” – 5 €')
  const plain = [
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Gr=C3=B6=C3=9Fe',
  ]
  expect((await read(...plain)).text).toBe('Größe')
  expect((await read(...plain.slice(0, 3), 'Gr=F6=DFe =C3=B6')).text).toBe('Größe Ã¶')
  expect((await read(...plain.slice(0, 3), 'MANH=C3')).text).toBe('MANHÃ')
})

it('reads UTF-8 that is declared as an encoding of several bytes, and fields in that encoding', async () => {
  const hex = (text: string) => Buffer.from(text, 'hex')
  // 您好, in UTF-8 and in GB2312
  const said = 'Content-Type: text/plain; charset=gb2312\r\n\r\n'
  const [utf8, gb] = [Buffer.from('您好，三月'), hex('c4fabac3')]
  const body = await readDocument('mail', Buffer.concat([Buffer.from(said), utf8]))
  expect(body.text).toBe('您好，三月')
  const fields = Buffer.concat([
    Buffer.from('\r\n>From MAILER Mon\r\nSubject: '),
    gb,
    Buffer.from(`\r\n${said}`),
    gb,
  ])
  expect((await readDocument('mail', fields)).text).toBe('Subject: 您好\n\n您好')
})

it('reads UTF-7', async () => {
  const lines = [
    'From: a@example.org',
    'Content-Type: text/plain; charset=utf-7',
    '',
    'Gr+APYA3w-e +- 5 +IKw-, a+b',
  ]
  expect((await read(...lines)).text).toBe('From: a@example.org\n\nGröße + 5 €, a+b')
})

it('does not read what is encrypted, and says so', async () => {
  const extracted = await read(
    'From: a@example.org',
    'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b',
    '',
    '--b',
    'Content-Type: application/pgp-encrypted',
    '',
    'Version: 1',
    '--b',
    'Content-Type: application/octet-stream; name="encrypted.asc"',
    '',
    '-----BEGIN PGP MESSAGE-----',
    'hQEMA',
    '-----END PGP MESSAGE-----',
    '--b--',
  )
  expect(extracted.text).not.toContain('hQEMA')
  expect(readingOf(extracted)).toMatchObject({ status: 'part', note: '1 attached file was not read' })
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

it('joins the forms of a message that differ, and names files without a name by their type', async () => {
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
    text: 'Attachments: image/gif\n\npage\n\n[only in the plain text of this message]\nplain',
    omitted: [{ what: 'pictures', count: 1 }],
  })
})

/** A message with both forms. */
const both = (plain: string, html: string) =>
  read(
    'Content-Type: multipart/alternative; boundary="a"',
    '',
    '--a',
    'Content-Type: text/plain',
    '',
    plain,
    '--a',
    'Content-Type: text/html',
    '',
    html,
    '--a--',
  )

it.each([
  ['an empty text', '', '<p>The sum is 880.</p>', 'The sum is 880.'],
  ['the same words', 'The sum is 10^5.', '<p>The sum is 10<sup>5</sup>.</p>', 'The sum is 10^5.'],
  ['a teaser', 'Your order.', '<p>Your order.</p><p>Sum 115</p>', 'Your order.\nSum 115'],
  ['a page that lacks something', 'Ticket 7\nCode 9912', '<p>Ticket 7</p>', 'Ticket 7\nCode 9912'],
  [
    'other sums',
    'Sum 90',
    '<p>Sum 95 EUR</p>',
    'Sum 95 EUR\n\n[only in the plain text of this message]\nSum 90',
  ],
  [
    'a longer text',
    'Sum 90 of three lamps',
    '<p>Sum 95</p>',
    'Sum 90 of three lamps\n\n[only in the HTML of this message]\nSum 95',
  ],
])('gives the fuller form of %s', async (_, plain, html, text) => {
  expect((await both(plain, html)).text).toBe(text)
})

it('reads the files of a message that are documents, names the others, and names where replies go', async () => {
  const file = (type: string, name: string, ...lines: string[]) => [
    '--m',
    `Content-Type: ${type}`,
    `Content-Disposition: attachment; filename="${name}"`,
    '',
    ...lines,
  ]
  const extracted = await read(
    'From: a@example.org',
    'Reply-To: b@other.example',
    'Content-Type: multipart/mixed; boundary="m"',
    '',
    ...file('message/rfc822', 'order.eml', 'Subject: inner', '', '40 lamps'),
    ...file('application/octet-stream', 'sums.csv', 'a;b', '1;2'),
    ...file('application/ms-tnef', 'winmail.dat', '\u0000\u0001\u0002'),
    ...file('application/octet-stream', 'a.joboptions', '<< /ASCII85EncodePages false >>'),
    '--m--',
  )
  expect(extracted.text).toBe(
    'From: a@example.org\nReply-To: b@other.example\nAttachments: order.eml (message/rfc822), sums.csv (application/octet-stream), winmail.dat (application/ms-tnef), a.joboptions (application/octet-stream)\n\n[Attached file: order.eml (message/rfc822)]\nSubject: inner\n\n40 lamps\n\n[Attached file: sums.csv (application/octet-stream)]\na;b\n1;2',
  )
  expect(extracted.omitted).toEqual([{ what: 'attachments', count: 2 }])
})

it('names the files of a message that are too many to be read', async () => {
  const files = Array.from({ length: 40 }, (_, index) => [
    '--m',
    `Content-Type: text/plain; name="${index}.txt"`,
    'Content-Disposition: attachment',
    '',
    `text ${index}`,
  ])
  const extracted = await read('Content-Type: multipart/mixed; boundary="m"', '', ...files.flat(), '--m--')
  expect(extracted.text).toContain('text 29')
  expect(extracted.text).not.toContain('text 30')
  expect(extracted.omitted).toEqual([{ what: 'attachments', count: 10 }])
})

it('reads a page that was saved as one file', async () => {
  const extracted = await read(
    'Snapshot-Content-Location: https://a.example/x',
    'Content-Type: multipart/related; boundary="m"',
    '',
    '--m',
    'Content-Type: text/html',
    '',
    '<title>News</title><p>Budget 4.2</p><img src=a>',
    '--m',
    'Content-Type: text/css',
    '',
    'p{}',
    '--m',
    'Content-Type: image/png',
    '',
    'x',
    '--m--',
  )
  expect(extracted.text).toBe('Address: https://a.example/x\n\nTitle: News\n\nBudget 4.2')
  expect(extracted.omitted).toEqual([
    { what: 'styles', count: 1 },
    { what: 'pictures', count: 1 },
  ])
})

it('reads letters whose encoding is not declared', async () => {
  const bytes = Buffer.from(
    'From: a@example.org\r\nSubject: Gr\u00fc\u00dfe\r\n\r\nSch\u00f6ne Gr\u00fc\u00dfe aus M\u00fcnchen',
    'latin1',
  )
  expect((await readDocument('mail', bytes)).text).toBe(
    'From: a@example.org\nSubject: Grüße\n\nSchöne Grüße aus München',
  )
})

it('reads a mailbox message by message, without the marks of its lines', async () => {
  const message = (number: number) =>
    `From a@example.org Mon Mar 30 10:00:00 2026\nFrom: a@example.org\nSubject: ${number}\n\nSum ${number}\nFrom here on\n>From there\n`
  const { text } = await readDocument('mailbox', Buffer.from([1, 2].map(message).join('\n')))
  expect(text).toBe(
    [1, 2]
      .map(
        (number) =>
          `Message ${number}\nFrom: a@example.org\nSubject: ${number}\n\nSum ${number}\nFrom here on\nFrom there`,
      )
      .join('\n\n'),
  )
})

it('keeps a quotation apart from the answer below it, in flowed lines', async () => {
  const { text } = await read(
    'From: a@example.org',
    'Content-Type: text/plain;',
    ' charset=utf-8; format="flowed"',
    '',
    '> Is it confirmed? ',
    '',
    'no, with format=flowed',
  )
  expect(text.slice(text.indexOf('>'))).toBe('> Is it confirmed? \n\nno, with format=flowed')
})

it('counts damaged characters once, in a mailbox and in what is attached', async () => {
  const message = [
    'From: a@b.test',
    'Subject: x',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Gr=FC=DFe aus =C3=96sterreich',
    '--b',
    'Content-Type: text/plain; name="a.txt"',
    'Content-Disposition: attachment; filename="a.txt"',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.concat([Buffer.from('Größe, Höhe, Tiefe, Länge, Schäden, Übung, '), Buffer.from([0xff])]).toString(
      'base64',
    ),
    '--b--',
    '',
  ]
  const counted = [{ what: 'damagedCharacters', count: 3 }]
  expect((await read(...message)).omitted).toEqual(counted)
  const mailbox = new TextEncoder().encode(
    ['From a@b.test Mon Jun 01 10:00:00 2009', ...message].join('\r\n'),
  )
  expect((await readDocument('mailbox', mailbox)).omitted).toEqual(counted)
})

it.each<[what: string, mailbox: string, subjects: string[], kept: string]>([
  [
    'a sentence behind a blank line',
    'From a@example.org Wed Jan  2 16:34:35 2019\nSubject: one\n\nHello\n\nFrom memory, it was Tuesday.\nFrom me\n\nFrom 10:30 on\nall day 2019\n\nFrom b@example.org Thu Jan  3 16:34:35 2019 +0100\nSubject: two\n\nbody\n',
    ['one', 'two'],
    'Hello\n\nFrom memory, it was Tuesday.\nFrom me\n\nFrom 10:30 on\nall day 2019',
  ],
  [
    'a patch in a message',
    `From a@example.org Mon Jan  5 10:00:00 2026\nSubject: one\n\nSee:\n\nFrom ${'3a96760d'.repeat(5)} Mon Sep 17 00:00:00 2001\nFrom: Dev <dev@example.org>\nSubject: [PATCH] inner\n\nfix\n\nFrom a@example.org Tue Jan  6 10:00:00 2026\nSubject: two\n\nbody\n`,
    ['one', 'two'],
    'From: Dev <dev@example.org>\nSubject: [PATCH] inner',
  ],
  [
    'patches, one behind the other',
    ['one', 'two']
      .map(
        (subject) =>
          `From ${'3a96760d'.repeat(5)} Mon Sep 17 00:00:00 2001\nFrom: Dev <dev@example.org>\nSubject: ${subject}\n\nfix ${subject}\n`,
      )
      .join('\n'),
    ['one', 'two'],
    'fix one',
  ],
  [
    'lines without a sender',
    'From \nFrom: a@example.org\nSubject: one\n\nbody\nFrom \nFrom: b@example.org\nSubject: two\n\nbody\n',
    ['one', 'two'],
    'body',
  ],
  [
    'lines without a time',
    'From a@example.org\nReceived: from x\nSubject: one\n\nbody\n\nFrom b@example.org\nReceived: from x\nSubject: two\n\nbody\n',
    ['one', 'two'],
    'body',
  ],
])('divides a mailbox where messages begin: %s', async (_, mailbox, subjects, kept) => {
  const { text } = await readDocument('mailbox', Buffer.from(mailbox))
  const messages = text.split(/^Message \d+$/m).slice(1)
  expect(messages.map((message) => /^Subject: (.*)$/m.exec(message)?.[1])).toEqual(subjects)
  expect(text).toContain(kept)
})

const bodyOf = (head: string, body: Uint8Array | string) =>
  Buffer.concat([
    Buffer.from(`From: a@example.org\r\nSubject: s\r\nMIME-Version: 1.0\r\n${head}\r\n\r\n`),
    typeof body === 'string' ? Buffer.from(body, 'latin1') : body,
  ])
const gb18030 = Uint8Array.of(0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7)
const meta = '<meta http-equiv="Content-Type" content="text/html; charset=GB18030"><p>'

it.each<[what: string, message: Buffer, text: string]>([
  [
    'the page declares it',
    bodyOf('Content-Type: text/html', Buffer.concat([Buffer.from(meta), gb18030])),
    '你好世界',
  ],
  [
    'the page declares it, in quoted-printable',
    bodyOf(
      'Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable',
      `${meta.replaceAll('=', '=3D')}=C4=E3=BA=C3=\r\n=CA=C0=BD=E7</p>`,
    ),
    '你好世界',
  ],
  [
    'the page declares it, in Base64, in a part',
    bodyOf(
      'Content-Type: multipart/alternative; boundary=B',
      `--B\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.concat([Buffer.from(meta), gb18030]).toString('base64')}\r\n--B--\r\n`,
    ),
    '你好世界',
  ],
  [
    'UTF-8 is declared, and it is none',
    bodyOf(
      'Content-Type: text/plain; charset=UTF-8; format=flowed\r\nContent-Transfer-Encoding: 8bit',
      "L'\u00e9t\u00e9 est termin\u00e9, \u00e0 bient\u00f4t.\r\nTr\u00e8s cordialement\r\n",
    ),
    "L'été est terminé, à bientôt.\nTrès cordialement",
  ],
  [
    'UTF-8 is declared and damaged in one place',
    bodyOf(
      'Content-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: 8bit',
      Buffer.concat([Buffer.from('Größe, Länge, Höhe und Tür: '), Uint8Array.of(0xff), Buffer.from(' ok')]),
    ),
    'Größe, Länge, Höhe und Tür: \ufffd ok',
  ],
])('reads a text of a message in its encoding: %s', async (_, message, text) => {
  expect((await readDocument('mail', message)).text.replaceAll('\r\n', '\n')).toContain(text)
})
