import { expect, it } from 'vitest'
import { fileKind, formatKb, isDocument, isImage, isNameOnly, pickerAccept } from '#shared/file-kinds.ts'

it.each([
  'text/plain',
  'TEXT/Markdown',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/msword',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.ms-presentation',
])('DOC-02 %s is a document whatever its name', (type) => {
  expect(isDocument({ name: 'file', type })).toBe(true)
})

it.each(
  'txt md pdf doc docx xls xlsx ppt pptx csv json xml html js ts css py java cpp'
    .split(' ')
    .flatMap((extension) => [extension, extension.toUpperCase()]),
)('DOC-03 .%s is a document whatever its type', (extension) => {
  expect(isDocument({ name: `a.b.${extension}`, type: '' })).toBe(true)
})

it.each([
  ['photo.png', 'image/png'],
  ['film.mp4', 'video/mp4'],
  ['all.zip', 'application/zip'],
  ['pdf', ''],
  ['unknown', 'application/octet-stream'],
])('DOC-02 DOC-03 %s of type %s is not a document', (name, type) => {
  expect(isDocument({ name, type })).toBe(false)
})

it.each([
  ['a.pdf', '', 'pdf'],
  ['a', 'application/pdf', 'pdf'],
  ['a.docx', '', 'document'],
  ['notes.txt', 'text/plain', 'document'],
  ['code.ts', 'video/mp2t', 'document'],
  ['a.xlsx', '', 'spreadsheet'],
  ['a.csv', 'text/csv', 'spreadsheet'],
  ['a', 'application/vnd.ms-excel', 'spreadsheet'],
  ['a.PNG', '', 'image'],
  ['a', 'image/webp', 'image'],
  ['a.mp3', 'audio/mpeg', 'audio'],
  ['a', 'audio/wav', 'audio'],
  ['a.mov', '', 'video'],
  ['a', 'video/mp4', 'video'],
  ['a.rar', '', 'archive'],
  ['a', 'application/zip', 'archive'],
  ['a.exe', 'application/octet-stream', 'other'],
  ['constructor', '', 'other'],
  ['x.constructor', '', 'other'],
])('ATT-09 the icon of %s (%s) is that of %s', (name, type, kind) => {
  expect(fileKind({ name, type })).toBe(kind)
})

it('ATT-06 the file picker accepts every kind that is named', () => {
  const acceptedTypes = pickerAccept.split(',')
  for (const extension of 'pdf doc docx xls xlsx ppt pptx txt md csv json xml html js ts css py java cpp zip rar'
    .split(' ')
    .map((name) => `.${name}`))
    expect(acceptedTypes).toContain(extension)
  expect(acceptedTypes).toContain('image/*')
  expect(acceptedTypes).toContain('video/*')
})

it('ATT-04 sizes are KB to one decimal', () => {
  expect(formatKb(0)).toBe('0.0 KB')
  expect(formatKb(8)).toBe('0.1 KB')
  expect(formatKb(151_859)).toBe('148.3 KB')
  // a browser would show "KB 148.3"
  expect(formatKb(151_859, 'ar-u-nu-latn')).toBe('\u200e148.3 KB')
  expect(formatKb(1_233_613)).toBe('1,204.7 KB')
})

it('DEC-112 nothing reads videos, audio and archives; images and documents are read', () => {
  for (const name of ['a.mp4', 'a.mp3', 'a.zip', 'a.rar', 'a.bin'])
    expect(isNameOnly({ name, type: '' })).toBe(true)
  expect(isNameOnly({ name: 'a.docx', type: '' })).toBe(false)
  expect(isNameOnly({ name: 'a.jpg', type: 'image/jpeg' })).toBe(false)
  expect(isImage({ name: 'drawing.svg', type: 'image/svg+xml' })).toBe(false)
})
