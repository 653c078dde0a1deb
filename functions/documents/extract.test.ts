import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { docx, pdf, pptx, xlsx } from '../../test/support/documents.ts'
import { toAnalysis, toFailedAnalysis } from './analysis.ts'
import type { DocumentKind } from '#shared/document-formats.ts'
import { documentKind } from './document-kind.ts'
import { extract } from './extract.ts'
import type { Omission } from './extracted-text.ts'

const read = (
  kind: DocumentKind,
  bytes: Uint8Array,
  limits?: { timeMs?: number; afterMs?: number; memoryMb?: number },
) => extract(kind, new Uint8Array(bytes), limits)
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

  it('DEC-038 a spreadsheet, with its sheets, dates and booleans', async () => {
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

  it('DEC-038 a presentation, in the order of the slide show', async () => {
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
  ])('DOC-01 a text in %s', async (_, bytes) => {
    expect(await readAsText('text', bytes)).toMatch(/^Grüße €/)
  })
})

describe('documents that cannot be read', () => {
  const buildBomb = () => docx(['hello'], '', { 'word/document.xml': strToU8(' '.repeat(60 * 1024 * 1024)) })

  it.each<[string, DocumentKind, () => Uint8Array, string]>([
    ['a text named as a Word document', 'word', () => strToU8('no package'), 'unreadable'],
    [
      'a Word document with a password',
      'word',
      () => Buffer.from('d0cf11e0a1b11ae1' + '00'.repeat(600), 'hex'),
      'unreadable',
    ],
    ['a package without a document', 'word', () => zipSync({ 'a.xml': strToU8('<a/>') }), 'unreadable'],
    ['a truncated package', 'sheet', () => xlsx({ A: [['x']] }).subarray(0, 400), 'unreadable'],
    ['an encrypted PDF', 'pdf', () => pdf(['secret'], { encrypted: true }), 'unreadable'],
    ['a text that begins like a PDF', 'pdf', () => strToU8('%PDF-1.4 nothing'), 'unreadable'],
    ['a program named as a text', 'text', () => Buffer.from('4d5a900003000000', 'hex'), 'unreadable'],
    ['a zip bomb', 'word', buildBomb, 'tooLarge'],
    [
      'XML entities that expand',
      'word',
      () => docx(['&b;'], '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'),
      'unreadable',
    ],
  ])('DOC-11 %s', async (_, kind, bytes, problem) => {
    await expect(read(kind, bytes())).rejects.toMatchObject({ problem })
  })

  it('stops when reading takes too long', async () => {
    await expect(read('text', strToU8('hello'), { timeMs: 0, afterMs: 0 })).rejects.toMatchObject({
      problem: 'tooSlow',
    })
  })

  it('hands over what was read when its time is over, and says so', async () => {
    const extracted = await read('text', strToU8('hello '.repeat(20_000)), { timeMs: -1 })
    expect(extracted).toMatchObject({ length: 65_536, isCut: true })
    expect(toAnalysis(extracted).reading).toEqual({
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

  it('ends only its own thread when it needs too much memory', async () => {
    const sheet = xlsx({ A: Array.from({ length: 20_000 }, (_, row) => [`a text of row ${row}`.repeat(20)]) })
    await expect(read('sheet', sheet, { memoryMb: 4 })).rejects.toMatchObject({ problem: 'tooLarge' })
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

describe('the analysis', () => {
  it('DOC-07 LIM-02 is cut after 8,000 characters with the marker, and says so', () => {
    const analysis = toAnalysis({ text: 'ab'.repeat(5_000), length: 10_000 })
    expect(analysis.analysis).toBe(`${'ab'.repeat(4_000)}\n\n[Content truncated due to length]`)
    expect(analysis).toMatchObject({
      success: true,
      contentLength: 10_000,
      hasActualContent: true,
      reading: { status: 'part', note: 'first 8,000 of 10,000 characters' },
    })
    expect(toAnalysis({ text: 'a'.repeat(8_000), length: 8_000 })).toMatchObject({
      analysis: 'a'.repeat(8_000),
      reading: { status: 'whole' },
    })
  })

  it('DOC-07 never cuts a character in two', () => {
    const { analysis } = toAnalysis({ text: `${'a'.repeat(7_999)}😀b`, length: 8_002 })
    expect(analysis.slice(7_990, 8_003)).toBe(`${'a'.repeat(9)}\n\n[C`)
  })

  it('says how many pages were read', () => {
    const pages = { ends: [4_000, 8_000, 12_000], total: 40 }
    expect(toAnalysis({ text: 'a'.repeat(12_000), length: 12_000, pages }).reading).toEqual({
      status: 'part',
      note: '2 of 40 pages',
    })
  })

  it.each([
    [1, 'read in full'],
    [2, 'all 2 pages'],
  ])('says that a document of %i pages was read in full: %s', (total, note) => {
    const pages = { ends: Array.from({ length: total }, (_, index) => index + 1), total }
    expect(toAnalysis({ text: 'a'.repeat(total), length: total, pages }).reading).toEqual({
      status: 'whole',
      note,
    })
  })

  it.each<[Omission[], string]>([
    [[{ what: 'pictures', count: 1 }], '1 picture was not read'],
    [[{ what: 'pictures', count: 2 }], '2 pictures were not read'],
    [
      [
        { what: 'pictures', count: 1_200 },
        { what: 'charts', count: 1 },
        { what: 'macros', count: 1 },
      ],
      '1,200 pictures, 1 chart and 1 macro project were not read',
    ],
  ])('names what was left out, and does not say that all was read: %j', (omitted, note) => {
    expect(toAnalysis({ text: 'abc', length: 3, omitted }).reading).toEqual({ status: 'part', note })
    expect(toAnalysis({ text: 'abc', length: 9, omitted }).reading.note).toBe(
      `first 3 of 9 characters; ${note}`,
    )
    expect(toAnalysis({ text: '', length: 0, omitted }).error).toBe(
      `No meaningful content could be extracted from this document: ${note}.`,
    )
  })

  it.each([
    [[2], 'page 2 has no text, it may be scanned'],
    [[1, 3], 'pages 1 and 3 have no text, they may be scanned'],
    [[1, 2, 3, 5, 6], 'pages 1–3 and 5–6 have no text, they may be scanned'],
    [[4, 5], 'pages 4–5 have no text, they may be scanned'],
    [[1, 3, 5, 7, 9, 11, 13, 15], 'pages 1, 3, 5, 7, 9, 11, 13 and 15 have no text, they may be scanned'],
    [
      [1, 3, 5, 7, 9, 11, 13, 15, 17, 18, 20],
      'pages 1, 3, 5, 7, 9, 11, 13, 15 and 3 more have no text, they may be scanned',
    ],
    // the rest was not looked at
    [[30, 31, 32], 'page 30 has no text, it may be scanned'],
  ])('names the pages without text: %j', (empty, note) => {
    const pages = { ends: Array.from({ length: 30 }, (_, index) => index + 1), total: 30, empty }
    expect(toAnalysis({ text: 'a'.repeat(30), length: 30, pages }).reading).toEqual({ status: 'part', note })
    expect(
      toAnalysis({ text: 'a'.repeat(30), length: 40, pages: { ...pages, total: 40 } }).reading.note,
    ).toBe(`30 of 40 pages; ${note}`)
  })

  it('says of a first page that is not read to its end that it was read', () => {
    const pages = { ends: [9_000, 9_001], total: 1_200 }
    expect(toAnalysis({ text: 'a'.repeat(9_001), length: 9_001, pages }).reading.note).toBe(
      '1 of 1,200 pages',
    )
    expect(
      toAnalysis({ text: 'a'.repeat(9_000), length: 9_000, pages: { ends: [9_000], total: 1 } }).reading.note,
    ).toBe('first 8,000 of 9,000 characters')
  })

  it.each<[DocumentKind, RegExp]>([
    ['word', /^The Word document could not be read/],
    ['pdf', /^The PDF could not be read/],
    ['sheet', /^The spreadsheet could not be read/],
    ['slides', /^The presentation could not be read/],
    ['openDocument', /^The OpenDocument file could not be read/],
    ['mail', /^The e-mail message could not be read/],
    ['text', /^File format not supported/],
    ['notebook', /^File format not supported/],
  ])('of a document of the kind %s that cannot be read says so', (kind, message) => {
    const analysis = toFailedAnalysis('unreadable', kind, 'a.x')
    expect(analysis).toEqual({
      success: false,
      analysis: expect.stringMatching(message) as string,
      error: analysis.analysis,
      code: 'unreadable',
      hasActualContent: false,
      contentLength: 0,
      reading: { status: 'failed', note: analysis.analysis },
    })
  })

  it.each([
    ['tooLarge', 'too_large', 'This document unpacks to more than can be read safely.'],
    ['tooSlow', 'too_slow', 'This document took too long to read.'],
  ] as const)('of a document that is %s says which one, and why', (problem, code, sentence) => {
    expect(toFailedAnalysis(problem, 'pdf', 'a.pdf')).toMatchObject({
      code,
      error: `Document analysis failed for a.pdf: ${sentence}`,
    })
  })

  it('of a text without letters says that it may be empty', () => {
    expect(toAnalysis({ text: '', length: 0 }).error).toBe(
      'No meaningful content could be extracted from this document. It may be empty.',
    )
    expect(toAnalysis({ text: '7', length: 1 })).toMatchObject({
      success: true,
      error: null,
      hasActualContent: true,
    })
  })

  it('DOC-15 DEC-111 reports text without letters as no content, and pages without text as possibly scanned', () => {
    expect(toAnalysis({ text: ' --- \n', length: 6 })).toMatchObject({
      success: false,
      hasActualContent: false,
      error: expect.stringContaining('No meaningful content') as string,
    })
    expect(toAnalysis({ text: '', length: 0, pages: { ends: [0], total: 1 } }).error).toContain('scanned')
  })
})
