import { expect, it } from 'vitest'
import { matchesType } from './file-content.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const program = bytes('MZ\u0090\u0000\u0003\u0000')
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

it.each([
  ['an image', '\u0089PNG\r\n\u001a\n', 'image/png'],
  ['a photo', '\u00ff\u00d8\u00ff\u00e0', 'image/jpeg'],
  ['a WebP', 'RIFF\u0000\u0000\u0000\u0000WEBPVP8 ', 'image/webp'],
  ['a Word document', 'PK\u0003\u0004....', docx],
  ['a Word document with a password', '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1', docx],
  ['a PDF behind some bytes', '\u0000\u0000%PDF-1.7', 'application/pdf'],
  ['a text that begins like a program', 'MZ is a mark', 'text/plain'],
  ['a program that says so', 'MZ\u0000', 'application/octet-stream'],
])('accepts %s', (_, content, type) => {
  expect(matchesType(bytes(content), type)).toBe(true)
})

it.each(['image/png', 'image/gif', 'application/pdf', docx, 'text/plain', 'video/mp4', 'application/zip'])(
  'rejects a program that is declared as %s',
  (type) => {
    expect(matchesType(program, type)).toBe(false)
    expect(matchesType(bytes('\u007fELF\u0000'), type)).toBe(false)
  },
)

it('rejects a page that is declared as an image', () => {
  expect(matchesType(bytes('<html><script>'), 'image/png')).toBe(false)
})
