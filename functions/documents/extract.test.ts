import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { docx, pdf, pptx, xlsx } from '../../test/support/documents.ts'
import type { DocumentKind } from '#shared/document-formats.ts'
import { readingOf } from '../../test/support/read-documents.ts'
import { documentKind } from './document-kind.ts'
import { extract } from './extract.ts'

const read = (
  kind: DocumentKind,
  bytes: Uint8Array,
  limits?: { timeMs?: number; afterMs?: number; memoryMb?: number },
) => extract(kind, new Uint8Array(bytes), limits).then(({ text }) => text)
const readAsText = async (kind: DocumentKind, bytes: Uint8Array) => (await read(kind, bytes)).text

describe('documents that can be read', () => {
  it('INFRA-13 a Word document', async () => {
    expect(await readAsText('word', docx(['Dear Ann,', 'the price is 42 € & rising.']))).toBe(
      'Dear Ann,\n\nthe price is 42 € & rising.',
    )
  })

  it('DEC-038 a PDF, page by page', async () => {
    expect(await read('pdf', pdf(['First page.', 'Second (page).']))).toEqual({
      text: 'First page.\n\nSecond (page).',
      length: 27,
      pages: { ends: [11, 27], total: 2 },
    })
  })

  it('DEC-038 a spreadsheet, with its sheets, dates and booleans', { tags: 'long' }, async () => {
    const bytes = xlsx({
      Sales: [
        ['City', 'Day', 'Sum'],
        ['Köln', { date: 46_000 }, 12.5],
      ],
      Empty: [],
      'More & more': [[true, 'x']],
    })
    expect(await readAsText('sheet', bytes)).toBe(
      'Sheet: Sales\nCity\tDay\tSum\nKöln\t2025-12-09\t12.5\n\nSheet: More & more\nTRUE\tx\n',
    )
  })

  it('DEC-038 a presentation, in the order of the slide show', { tags: 'long' }, async () => {
    expect(await readAsText('slides', pptx([['Welcome', 'to <us>'], [], ['The end']]))).toBe(
      'Slide 1\nWelcome\nto <us>\n\nSlide 3\nThe end',
    )
  })

  it.each([
    ['UTF-8', Buffer.from('Grüße €', 'utf8')],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffGrüße €', 'utf8')],
    ['UTF-16 with a byte order mark', Buffer.from('\ufeffGrüße €', 'utf16le')],
    ['big-endian UTF-16', Buffer.from('\ufeffGrüße €', 'utf16le').swap16()],
    ['UTF-16 without a byte order mark', Buffer.from('Grüße € and more plain letters', 'utf16le')],
    ['Windows-1252', Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x20, 0x80])],
  ])('DOC-01 a text in %s', { tags: 'long' }, async (_, bytes) => {
    expect(await readAsText('text', bytes)).toMatch(/^Grüße €/)
  })
})

describe('documents that cannot be read', () => {
  const buildBomb = () => docx(['hello'], '', { 'word/document.xml': strToU8(' '.repeat(60 * 1024 * 1024)) })

  const unreadable: [string, DocumentKind, () => Uint8Array, string][] = [
    ['a text named as a Word document', 'word', () => strToU8('no package'), 'unreadable'],
    [
      'a Word document with a password',
      'word',
      () => Buffer.from('d0cf11e0a1b11ae1' + '00'.repeat(600), 'hex'),
      'unreadable',
    ],
    ['a package without a document', 'word', () => zipSync({ 'a.xml': strToU8('<a/>') }), 'unreadable'],
    ['a truncated package', 'sheet', () => xlsx({ A: [['x']] }).subarray(0, 400), 'unreadable'],
    ['an encrypted PDF', 'pdf', () => pdf(['secret'], { encrypted: true }), 'encrypted'],
    ['a text that begins like a PDF', 'pdf', () => strToU8('%PDF-1.4 nothing'), 'unreadable'],
    ['a program named as a text', 'text', () => Buffer.from('4d5a900003000000', 'hex'), 'unreadable'],
    [
      'XML entities that expand',
      'word',
      () => docx(['&b;'], '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'),
      'unreadable',
    ],
  ]
  const findProblem = (kind: DocumentKind, bytes: Uint8Array) =>
    read(kind, bytes).catch(({ problem }: { problem?: string }) => problem)

  it('DOC-11 a zip bomb', async () => {
    expect(await findProblem('word', buildBomb())).toBe('tooLarge')
  })

  it.each(unreadable)('DOC-11 %s', { tags: 'long' }, async (_, kind, bytes, problem) => {
    expect(await findProblem(kind, bytes())).toBe(problem)
  })

  it('stops when reading takes too long', async () => {
    await expect(read('text', strToU8('hello'), { timeMs: 0, afterMs: 0 })).rejects.toMatchObject({
      problem: 'tooSlow',
    })
  })

  it('hands over what was read when its time is over, and says so', async () => {
    const extracted = await read('text', strToU8('hello '.repeat(20_000)), { timeMs: -1 })
    expect(extracted).toMatchObject({ length: 65_536, isCut: true })
    expect(readingOf(extracted)).toMatchObject({
      status: 'part',
      note: 'reading took too long and ended before the end of the file',
    })
  })

  it('is unreadable if its reader fails', async () => {
    const failure: unknown = await read('none' as DocumentKind, strToU8('hello')).catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ problem: 'unreadable', message: 'the reader failed' })
  })

  it('ends only its own process when it needs too much memory', async () => {
    const sheet = xlsx({ A: Array.from({ length: 20_000 }, (_, row) => [`a text of row ${row}`.repeat(20)]) })
    await expect(read('sheet', sheet, { memoryMb: 24 })).rejects.toMatchObject({ problem: 'tooLarge' })
    expect(await readAsText('text', strToU8('alive'))).toBe('alive')
  })

  it.each(['image/png', 'audio/mpeg', 'video/mp4'])('DOC-12 a file of type %s is no document', (type) => {
    expect(documentKind({ name: 'a', type })).toBeUndefined()
  })

  it.each<[name: string, type: string, kind: DocumentKind]>([
    ['a.xlsm', '', 'sheet'],
    ['A.PDF', 'application/octet-stream', 'pdf'],
    ['a', 'application/pdf', 'pdf'],
    ['a.docx', 'application/pdf', 'pdf'],
    ['a', 'application/vnd.openxmlformats-officedocument.wordprocessingml.template', 'word'],
    ['a', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'sheet'],
    ['a', 'application/vnd.ms-excel.template.macroEnabled.12', 'sheet'],
    ['a', 'application/vnd.ms-powerpoint.slideshow.macroEnabled.12', 'slides'],
    ['a', 'application/vnd.oasis.opendocument.text', 'openDocument'],
    ['a', 'application/vnd.oasis.opendocument.spreadsheet-template', 'openDocument'],
    ['a.docx', 'application/zip', 'word'],
    ['a.docx', 'text/plain', 'unknown'],
    ['a.doc', 'application/msword', 'unknown'],
    ['a.odg', 'application/vnd.oasis.opendocument.graphics', 'unknown'],
    ['a', 'x/application/vnd.ms-word.document.macroenabled.12', 'unknown'],
    ['a', 'application/vnd.ms-word.document.macroenabled.123', 'unknown'],
    ['a.md', 'text/plain', 'text'],
    ['a', 'message/rfc822', 'mail'],
    ['a.eml', 'text/plain', 'mail'],
    ['a.ipynb', 'application/json', 'notebook'],
    ['a.txt', 'application/octet-stream', 'unknown'],
    ['a', 'text/x-log', 'unknown'],
    ['a.ods', '', 'openDocument'],
    ['a', 'application/vnd.ms-excel.sheet.macroEnabled.12', 'sheet'],
    ['a', 'application/vnd.ms-word.document.macroEnabled.12', 'word'],
    ['a', 'application/vnd.openxmlformats-officedocument.presentationml.slideshow', 'slides'],
    ['a', 'application/vnd.oasis.opendocument.presentation', 'openDocument'],
  ])('DEC-038 %s of type %s is read as %s', (name, type, kind) => {
    expect(documentKind({ name, type })).toBe(kind)
  })

  it.each('docx pdf xlsx pptx eml ipynb txt md csv json xml html js ts css py java cpp'.split(' '))(
    'DOC-03 .%s is supported',
    (extension) => {
      expect(documentKind({ name: `A.${extension.toUpperCase()}`, type: '' })).toBeDefined()
    },
  )
})
