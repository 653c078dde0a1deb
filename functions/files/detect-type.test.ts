import { strToU8, zipSync } from 'fflate'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { getStoredType } from '#shared/file-kinds.ts'
import { detectUploadType, identifyFile } from './detect-type.ts'

const identify = (name: string, declaredType: string, content: string) =>
  identifyFile({ name, declaredType, bytes: Buffer.from(content, 'latin1') })

const png = '\x89PNG\r\n\x1a\n'
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

it.each([
  ['an image', 'chart.png', 'image/png', `${png}..`, 'image/png', 'chart.png'],
  ['a photo', 'a.jpeg', 'image/jpeg', '\xff\xd8\xff', 'image/jpeg', 'a.jpeg'],
  ['an image under another type', 'chart.jpg', 'image/jpeg', png, 'image/png', 'chart.jpg.png'],
  ['an image with the name of a program', 'a.exe', 'image/png', png, 'image/png', 'a.exe.png'],
  ['a text that calls itself an image', 'a.png', 'image/png', 'hello', 'text/plain', 'a.png.txt'],
  ['a drawing with a script', 'a.svg', 'image/svg+xml', svg, 'text/plain', 'a.svg'],
  ['a page', 'a.html', 'text/html', '<script>alert(1)</script>', 'text/plain', 'a.html'],
  ['a page behind the bytes of an image', 'a.html', 'text/html', `GIF89a/*${svg}`, 'image/gif', 'a.html.gif'],
  [
    'a page with the bytes of a PDF inside',
    'a.pdf',
    'application/pdf',
    `<b>\n%PDF-1.7`,
    'text/plain',
    'a.pdf.txt',
  ],
  ['a PDF', 'a', 'text/html', '%PDF-1.7 \x00', 'application/pdf', 'a.pdf'],
  ['a table', 'a.csv', 'text/csv', 'a,b\r\n1,2', 'text/csv', 'a.csv'],
  ['a script', 'run.sh', 'text/x-sh', '#!/bin/sh', 'text/plain', 'run.sh.txt'],
  ['a sound', 'a.wav', 'audio/x-wav', 'RIFF\x01\x02\x03\x04WAVEfmt ', 'audio/wav', 'a.wav'],
  ['a song', 'a', 'audio/mp3', 'ID3\x04\x00', 'audio/mpeg', 'a.mp3'],
  ['bytes declared as a sound', 'a.mp3', 'audio/mpeg', '\x00\x01\xfe', 'application/octet-stream', 'a.mp3'],
  ['unknown bytes', '../../etc/passwd', '', '\x00\x01\xfe', 'application/octet-stream', 'passwd.bin'],
  ['a script in UTF-16', 'a.js', 'text/javascript', '\xff\xfea\x00', 'text/plain', 'a.js.txt'],
  ['a script in Latin-1', 'a.py', 'text/x-python', '# \xe9', 'text/plain', 'a.py.txt'],
  ['a table in UTF-16', 'a.csv', 'text/csv', '\xff\xfea\x00', 'text/csv', 'a.csv'],
  ['a text in Latin-1', 'minutes', 'application/octet-stream', 'Caf\xe9', 'text/plain', 'minutes.txt'],
  ['a letter', 'letter', 'application/octet-stream', '{\\rtf1 \xe9}', 'application/rtf', 'letter.rtf'],
  ['a letter as text', 'a.rtf', 'text/plain', '{\\rtf1 a}', 'application/rtf', 'a.rtf'],
  ['a calendar', 'a.ics', 'application/octet-stream', 'BEGIN:VCALENDAR', 'text/plain', 'a.ics'],
  ['an old document', 'a.doc', 'application/msword', '\xd0\xcf\x11\xe0', 'application/octet-stream', 'a.doc'],
  ['an archive', 'a.docm', 'application/x', 'PK\x03\x04\x00', 'application/zip', 'a.docm.zip'],
  [
    'a document',
    'a.docx',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'PK\x03\x04\x00',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'a.docx',
  ],
  ['a name that reads backwards', 'a\u202egnp.exe', 'image/png', png, 'image/png', 'agnp.exe.png'],
  ['the type of a prototype', 'constructor', 'constructor', 'x', 'text/plain', 'constructor.txt'],
])('%s is recognised by its content', (_, name, declaredType, content, type, storedName) => {
  expect(identify(name, declaredType, content)).toEqual({ type, name: storedName })
})

it.each(['MZ\x90\x00', '\x7fELF\x02\x00', '\xca\xfe\xba\xbe\x00'])('refuses a program: %j', (content) => {
  expect(identify('chart.png', 'image/png', content)).toBeUndefined()
})

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const program = 'MZ\x90\x00\x03\x00'
/** An archive with empty parts of these names. */
const part = (...names: string[]) =>
  Buffer.from(zipSync(Object.fromEntries(names.map((name) => [name, strToU8('')])))).toString('latin1')
const openText = Buffer.from(
  zipSync({
    mimetype: [strToU8('application/vnd.oasis.opendocument.text'), { level: 0 }],
    'content.xml': strToU8(''),
  }),
).toString('latin1')
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const compound = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00'

it.each([
  ['a picture under another name', 'a.png', 'image/png', '\xff\xd8\xff\xe0', 'image/jpeg'],
  ['a picture without a name', 'photo', '', png, 'image/png'],
  ['a picture named as a text', 'a.txt', 'text/plain', 'GIF89a\x01\x00', 'image/gif'],
  ['a picture of a phone', 'a.jpg', 'image/jpeg', '\x00\x00\x00\x18ftypheic\x00', 'image/heic'],
  ['a drawing', 'a.svg', 'image/svg+xml', svg, 'image/svg+xml'],
  ['a text named as a picture', 'a.png', 'image/png', 'hello', 'text/plain'],
  ['a text named as a Word document', 'a.docx', docx, 'hello', 'text/plain'],
  ['a text named as a PDF', 'a.pdf', 'application/pdf', 'hello', 'text/plain'],
  ['a text that mentions a PDF', 'a.txt', 'text/plain', 'It begins with %PDF-', 'text/plain'],
  ['a script that the browser takes for a video', 'a.ts', 'video/mp2t', 'let a', 'text/x-typescript'],
  ['a source file without a type', 'page.vue', '', '<template>', 'text/plain'],
  ['a file without an extension', 'Dockerfile', 'application/octet-stream', 'FROM scratch', 'text/plain'],
  ['a table that the browser takes for a sheet', 'a.csv', 'application/vnd.ms-excel', 'a;b', 'text/csv'],
  ['a text in UTF-16', 'a.log', '', '\xff\xfea\x00', 'text/plain'],
  ['a text in Latin-1', 'a.py', '', '# \xe9t\xe9', 'text/x-python'],
  ['an e-mail message', 'a.eml', 'message/rfc822', 'Subject: x', 'message/rfc822'],
  ['a page named as a sheet', 'a.xls', 'application/vnd.ms-excel', '<table>', 'text/plain'],
  ['a PDF under another name', 'a.docx', docx, '%PDF-1.7 \x00', 'application/pdf'],
  ['a PDF behind some bytes', 'a.pdf', 'application/pdf', '\x00\x00%PDF-1.7', 'application/pdf'],
  ['a document', 'a.docx', '', 'PK\x03\x04\x00', docx],
  ['a document with a password', 'a.docx', docx, compound, docx],
  ['a damaged document', 'a.docx', docx, '\x00\x01\x02', docx],
  ['an archive named as a picture', 'a.png', 'image/png', 'PK\x03\x04\x00', 'application/zip'],
  ['an archive of another name', 'a.epub', 'application/epub+zip', 'PK\x03\x04\x00', 'application/epub+zip'],
  ['a document under another name', 'a.zip', 'application/zip', part('word/document.xml'), docx],
  ['a document named as an old one', 'a.doc', 'application/msword', part('word/document.xml'), docx],
  ['a sheet without a type', 'a', '', part('[Content_Types].xml', 'xl\\workbook.xml'), xlsx],
  ['a sheet named as a table', 'a.csv', 'text/csv', part('xl/workbook.xml'), xlsx],
  [
    'a document of LibreOffice named as one of Word',
    'a.docx',
    docx,
    openText,
    'application/vnd.oasis.opendocument.text',
  ],
  ['an old document named as a text', 'a.txt', 'text/plain', compound, 'application/octet-stream'],
  ['bytes named as a text', 'a.log', 'text/plain', '\x00\x01\x02\x00', 'application/octet-stream'],
  ['bytes named as a picture', 'a.png', 'image/png', '\x00\x01\x02', 'application/octet-stream'],
  [
    'a film',
    'a.mp4',
    'video/mp4',
    '\x00\x00\x00\x18ftypisom\x00\x00\x02\x00mdat\xde\x02\x00\x4c',
    'video/mp4',
  ],
  ['a program', 'a.exe', 'application/x-msdownload', program, 'application/x-msdownload'],
  [
    'a program as Chromium on Linux names it',
    'setup.exe',
    'application/x-ms-dos-executable',
    program,
    'application/x-ms-dos-executable',
  ],
  ['a program named as a picture', 'a.png', 'image/png', program, undefined],
  ['a program named as a text', 'a.txt', 'text/plain', program, undefined],
])('an upload has the type of its content: %s', (_, name, type, content, detected) => {
  const head = Buffer.from(content, 'latin1')
  expect(detectUploadType(head, { name, type: getStoredType({ name, type }) })).toBe(detected)
})

it.each([
  ['jpeg-named.png', 'image/jpeg'],
  ['photo.bmp', 'image/bmp'],
  ['scan.tiff', 'image/tiff'],
  ['picture.webp', 'image/webp'],
  ['animated.gif', 'image/gif'],
  ['cmyk.jpg', 'image/jpeg'],
])('a picture of another program has the type of its content: %s', (name, type) => {
  const head = readFileSync(new URL(`../../test/fixtures/files/pictures/${name}`, import.meta.url))
  expect(detectUploadType(head, { name, type: '' })).toBe(type)
})

it('an archive with a document in it is an archive', () => {
  const inner = zipSync({ '[Content_Types].xml': strToU8(''), 'word/document.xml': strToU8('') })
  const head = zipSync({ 'a/contract.docx': [inner, { level: 0 }], 'b.txt': strToU8('b') })
  expect(detectUploadType(head, { name: 'papers.zip', type: 'application/zip' })).toBe('application/zip')
})

it.each([
  ['report.docx', '', 'word/document.xml', 'report.docx'],
  ['report', 'application/octet-stream', 'xl/workbook.xml', 'report.xlsx'],
  ['archive.zip', 'application/zip', 'a.txt', 'archive.zip'],
])(
  'a document of a tool keeps its name, whatever its type is called: %s',
  (name, declaredType, part, shown) => {
    const bytes = zipSync({ '[Content_Types].xml': strToU8(''), [part]: strToU8('') })
    expect(identifyFile({ name, declaredType, bytes })?.name).toBe(shown)
  },
)
