import { strToU8, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { docx, pdf, pptx, xlsx } from '../../test/support/documents.ts'
import { describeProblem } from './analysis.ts'
import { detectKind } from './detect-kind.ts'
import { readDocument } from './readers.ts'

const mail = 'From: a@example.org\nTo: b@example.org\nSubject: x\nDate: now\n\nhi'
const pack = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        typeof content === 'string' ? strToU8(content) : new Uint8Array(content),
      ]),
    ),
  )
/** A compound file with a stream of this name. */
const compound = (stream: string) =>
  Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(504),
    Buffer.from(`${stream}\0`, 'utf16le'),
    Buffer.alloc(64),
  ])

it.each<[kind: string, bytes: Uint8Array]>([
  ['word', docx(['a'])],
  ['sheet', xlsx({ A: [['a']] })],
  ['slides', pptx([['a']])],
  ['sheet', pack({ 'xl\\workbook.xml': '<a/>' })],
  ['openDocument', pack({ mimetype: 'application/vnd.oasis.opendocument.text' })],
  ['book', pack({ mimetype: 'application/epub+zip' })],
  ['pdf', new Uint8Array(pdf(['a']))],
  ['rtf', strToU8('{\\rtf1 a}')],
  ['html', strToU8('\ufeff<!-- saved --><!DOCTYPE html><p>a')],
  ['html', Buffer.from('\ufeff<html><p>a', 'utf16le')],
  ['contacts', strToU8('BEGIN:VCARD\r\nFN:A')],
  ['calendar', strToU8('BEGIN:VCALENDAR\r\n')],
  ['mail', strToU8(mail)],
  ['mailbox', strToU8(`From a@b.example Mon Mar 30 10:00:00 2026\n${mail}`)],
  ['text', strToU8('From: the harbour to the hill\n')],
  ['text', strToU8('only a text')],
])('a file without a name is known as %s by its content', (kind, bytes) => {
  expect(detectKind(bytes, 'unknown')).toBe(kind)
})

it('the markup of a source file is its text', () => {
  expect(detectKind(strToU8('<html><p>a'), 'text')).toBe('text')
  expect(detectKind(docx(['a']), 'text')).toBe('word')
})

it.each<[problem: 'archive', bytes: Uint8Array, sentence: RegExp]>([
  ['oldWord', compound('WordDocument'), /older format.*\.docx/],
  ['oldSheet', compound('Workbook'), /older or binary format.*\.xlsx/],
  ['oldSlides', compound('PowerPoint Document'), /older format.*\.pptx/],
  ['encrypted', compound('EncryptedPackage'), /password/],
  ['outlook', compound('__properties_version1.0'), /\.eml/],
  ['oldSheet', pack({ 'xl/workbook.bin': 'x' }), /\.xlsx/],
  ['iwork', pack({ 'Index/Document.iwa': 'x' }), /Pages, Numbers/],
  ['archive', pack({ 'a.txt': 'x' }), /unpack/],
  ['archive', Buffer.from('377abcaf271c0004', 'hex'), /unpack/],
  ['archive', Buffer.from(`notes.txt${'\0'.repeat(248)}ustar\0`), /unpack/],
  ['unsupported', compound('Unknown'), /^File format not supported/],
  [
    'unsupported',
    Buffer.from('SQLite format 3\0\u0001\u0002\u0003\0\0', 'latin1'),
    /^File format not supported/,
  ],
] as never)('a file that is known and not read is refused as %s', (problem, bytes, sentence) => {
  expect(() => detectKind(bytes, 'unknown')).toThrow(expect.objectContaining({ problem }))
  expect(describeProblem(problem, 'unknown', 'a').note).toMatch(sentence)
})

it('an OpenDocument file in one part is read like others, with its tables', async () => {
  const flat = (kind: string, body: string) =>
    Buffer.from(
      `<?xml version="1.0"?>\n<office:document xmlns:office="urn:o" xmlns:text="urn:t" xmlns:table="urn:b" xmlns:draw="urn:d" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`,
    )
  const letter = flat(
    'text',
    '<text:p>a<draw:frame><draw:image><office:binary-data>QUJD</office:binary-data></draw:image></draw:frame></text:p><text:p><draw:frame><draw:object><office:document><office:body><office:text><text:p>b</text:p></office:text></office:body></office:document></draw:object></draw:frame>c</text:p>',
  )
  expect(detectKind(letter, 'unknown')).toBe('openDocument')
  expect(await readDocument('openDocument', letter)).toMatchObject({
    text: 'a\n\nc',
    omitted: [
      { what: 'pictures', count: 1 },
      { what: 'embedded', count: 1 },
    ],
  })
  const cell =
    '<table:table-cell office:value-type="float" office:value="7"><text:p>7</text:p></table:table-cell>'
  const sheet = flat(
    'spreadsheet',
    `<table:table table:name="S"><table:table-row>${cell}</table:table-row></table:table>`,
  )
  expect(await readDocument('openDocument', sheet)).toMatchObject({
    text: 'Sheet: S\n7\n',
    sheets: [{ name: 'S' }],
  })
  expect(detectKind(sheet, 'text')).toBe('text')
})

it('a message whose fields have a blank before the colon is no mailbox', async () => {
  const bytes = Buffer.from('From : a@example.org\r\nTo: b@example.org\r\nSubject: s\r\nDate: d\r\n\r\nbody')
  expect(detectKind(bytes, 'mail')).toBe('mail')
  expect((await readDocument('mail', bytes)).text).toContain('From: a@example.org')
})

const read = async (kind: 'rtf', text: string | Uint8Array) =>
  readDocument(kind, typeof text === 'string' ? Buffer.from(text, 'latin1') : text)

it.each([
  [
    'letters of code pages and of Unicode',
    String.raw`{\rtf1\ansi\ansicpg1251{\fonttbl{\f1\fcharset128 x;}}\'cf\'f0\u8364?\par\f1\'93\'fa\'96\'7b}`,
    'Пр€\n日本',
  ],
  ['letters of DOS', String.raw`{\rtf1\pca Gr\'94\'e1e \'c7{\rtf1\pc \'b1}}`, 'Größe Ã▒'],
  [
    'hidden, deleted, struck and raised text',
    String.raw`{\rtf1 a {\v b}{\deleted c} {\strike d} 10{\super 5}}`,
    'a [hidden: b][deleted: c] ~~d~~ 10^5',
  ],
  [
    'a table with an empty cell',
    String.raw`{\rtf1 x\par\trowd\intbl A\cell B\cell\row\trowd\intbl 1\cell\cell\row\pard y\par}`,
    'x\nA\tB\n1\t\ny',
  ],
  ['paragraphs in a cell', String.raw`{\rtf1\trowd\intbl A\par B\cell C\cell\row}`, 'A<br>B\tC'],
  [
    'links and notes',
    String.raw`{\rtf1 {\field{\*\fldinst HYPERLINK "https://a.example/"}{\fldrslt here}}{\super\chftn{\footnote\pard note}}.}`,
    'here (https://a.example/) [footnote 1: note].',
  ],
  [
    'headings, headers and comments',
    String.raw`{\rtf1{\stylesheet{\s1 heading 1;}}{\header top}\pard\s1 T\par\pard t{\*\atnauthor Ann}{\*\annotation ok}\par}`,
    'Page header: top\n\n# T\nt [comment by Ann: ok]',
  ],
  [
    'the Unicode of texts that are written twice, and of more than 16 bits',
    String.raw`{\rtf1\ansi{\upr{a?b}{\*\ud{\uc0 a\u21271 b}}} \u128512?\u-10179?\u-8704?}`,
    'a北b 😀😀',
  ],
  [
    'nothing of tables of fonts and colours',
    String.raw`{\rtf1{\fonttbl{\f0 Arial;}}{\colortbl;\red0;}{\*\unknown x}{\info{\title t}}a}`,
    'a',
  ],
])('a letter in RTF has %s', async (_, rtf, text) => {
  expect((await read('rtf', rtf)).text).toBe(text)
})

it('a letter in RTF counts its pictures', async () => {
  expect(await read('rtf', String.raw`{\rtf1 a{\pict 00ff}}`)).toMatchObject({
    text: 'a',
    omitted: [{ what: 'pictures', count: 1 }],
  })
})

it('contacts are their values, without photos', async () => {
  const card = [
    'BEGIN:VCARD',
    'VERSION:2.1',
    'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=47=C3=B8r;=',
    '=C3=85se',
    'TEL;CELL:1',
    'item1.URL:https\\://x',
    'item1.X-ABLabel:_$!<Shop>!$_',
    'NOTE:a\\, b\\nc',
    'PHOTO;ENCODING=BASE64;JPEG:AAAA',
    ' BBBB',
    'END:VCARD',
  ]
  expect(await readDocument('contacts', Buffer.from(card.join('\r\n')))).toMatchObject({
    text: 'Contact 1\nFull name: Gør, Åse\nPhone (cell): 1\nWeb (Shop): https://x\nNote: a, b / c',
    omitted: [{ what: 'pictures', count: 1 }],
  })
})

it('a calendar has its times as they are written, with their zones', async () => {
  const lines = [
    'BEGIN:VCALENDAR',
    'BEGIN:VTIMEZONE',
    'TZID:Europe/Oslo',
    'END:VTIMEZONE',
    'BEGIN:VEVENT',
    'SUMMARY:Plan\\, B',
    'DTSTART;TZID=Europe/Oslo:20260401T003000',
    'DTEND:20260401T013000Z',
    'ATTENDEE;CN="Bo: S";PARTSTAT=ACCEPTED:mailto:b@x',
    'END:VEVENT',
    'BEGIN:VTODO',
    'DUE;VALUE=DATE:20260509',
    'END:VTODO',
    'END:VCALENDAR',
  ]
  expect((await readDocument('calendar', Buffer.from(lines.join('\r\n')))).text).toBe(
    'Event\nTitle: Plan, B\nStart: 2026-04-01 00:30 (Europe/Oslo)\nEnd: 2026-04-01 01:30 UTC\nAttendee: Bo: S <b@x> (accepted)\n\nTask\nDue: 2026-05-09',
  )
})

const book = (more: Record<string, string | Uint8Array> = {}) =>
  pack({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf':
      '<package><metadata><title>Ships</title><creator>Ann</creator></metadata><manifest><item id="b" href="two.xhtml"/><item id="a" href="one.xhtml"/><item id="p" href="p.png" media-type="image/png"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
    'OPS/one.xhtml': '<h1>One</h1><p>a</p>',
    'OPS/two.xhtml': '<p>b</p>',
    ...more,
  })

it('a book has letters in the encodings of its chapters, whose elements may be closed', async () => {
  const xhtml = (encoding: string, body: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`
  const chapters = {
    'OPS/one.xhtml': Buffer.from(xhtml('ISO-8859-1', 'Größe'), 'latin1'),
    'OPS/two.xhtml': Buffer.from(`\ufeff${xhtml('UTF-16', 'Höhe')}`, 'utf16le'),
  }
  expect((await readDocument('book', book(chapters))).text).toBe('Ships\nAnn\n\nGröße\n\nHöhe')
})

it('a book has chapters that name a document type, whatever their names end with', async () => {
  const page = (doctype: string, body: string) =>
    `<?xml version="1.0"?>${doctype}<html><head><title>x</title></head><body>${body}</body></html>`
  const parts = {
    'OPS/book.opf':
      '<package><manifest><item id="a" href="a.xml"/><item id="b" href="b.xml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
    'OPS/a.xml': page(
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "xhtml11.dtd">',
      '<p>It was&nbsp;cold',
    ),
    'OPS/b.xml': page('<!DOCTYPE html [<!ENTITY nbsp "&#160;">]>', '<p>in April'),
  }
  const { text, omitted } = await readDocument('book', book(parts))
  expect(text).toBe('It was cold\n\nin April')
  expect(omitted).toBeUndefined()
})

it('a book may name its outline by an address', async () => {
  const parts = {
    'META-INF/container.xml': '<container><rootfile full-path="my%20book/book.opf"/></container>',
    'my book/book.opf':
      '<package><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
    'my book/a.xhtml': '<p>a</p>',
  }
  expect((await readDocument('book', book(parts))).text).toBe('a')
})

it('a book has its chapters in their order, and is refused if it is protected', async () => {
  expect(await readDocument('book', book())).toMatchObject({
    text: 'Ships\nAnn\n\n# One\na\n\nb',
    omitted: [{ what: 'pictures', count: 1 }],
  })
  const protection = '<encryption><CipherReference URI="OPS/two.xhtml"/></encryption>'
  await expect(readDocument('book', book({ 'META-INF/encryption.xml': protection }))).rejects.toMatchObject({
    problem: 'unreadable',
  })
})
