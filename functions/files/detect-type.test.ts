import { expect, it } from 'vitest'
import { identifyFile } from './detect-type.ts'

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
  ['a script in UTF-16', 'a.js', 'text/javascript', '\xff\xfea\x00', 'application/octet-stream', 'a.js.bin'],
  ['a script in Latin-1', 'a.py', 'text/x-python', '# \xe9', 'application/octet-stream', 'a.py.bin'],
  ['a table in UTF-16', 'a.csv', 'text/csv', '\xff\xfea\x00', 'application/octet-stream', 'a.csv'],
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
