import { expect, it } from 'vitest'
import type { DocumentKind } from '#shared/document-formats.ts'
import { readingOf } from '../../test/support/read-documents.ts'
import { capAnalysis, describeProblem } from './analysis.ts'
import type { Omission } from './extracted-text.ts'

const text = (length: number) => ({ text: 'a'.repeat(length), length })
const pagesUpTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

it('DOC-07 LIM-02 an analysis is cut after 8,000 characters with the marker, and never inside a character', () => {
  expect(capAnalysis('ab'.repeat(5_000))).toBe(`${'ab'.repeat(4_000)}\n\n[Content truncated due to length]`)
  expect(capAnalysis('a'.repeat(8_000))).toBe('a'.repeat(8_000))
  expect(capAnalysis(`${'a'.repeat(7_999)}😀b`).slice(7_990, 8_003)).toBe(`${'a'.repeat(9)}\n\n[C`)
})

it('a long text is read in full: how much of it a reply gets is told with the reply', () => {
  expect(readingOf(text(500_000))).toMatchObject({ status: 'whole', note: 'read in full' })
})

it.each([
  [1, 'read in full'],
  [2, 'all 2 pages'],
])('a document of %i pages was %s', (total, note) => {
  expect(readingOf({ ...text(total), pages: { ends: pagesUpTo(total), total } })).toMatchObject({
    status: 'whole',
    note,
  })
})

it('says which part is kept of a document that is not kept whole', () => {
  expect(readingOf({ text: 'abc', length: 9 })).toMatchObject({
    status: 'part',
    note: 'the first 3 of 9 characters',
  })
  const pages = { ends: [4_000, 8_000], total: 40 }
  expect(readingOf({ text: 'a'.repeat(8_000), length: 160_000, pages }).note).toBe('the first 2 of 40 pages')
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
  expect(readingOf({ ...text(3), omitted })).toMatchObject({ status: 'part', note })
  expect(readingOf({ text: 'abc', length: 9, omitted }).note).toBe(`the first 3 of 9 characters; ${note}`)
  expect(readingOf({ ...text(0), omitted }).note).toBe(
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
  const pages = { ends: pagesUpTo(30), total: 30, empty }
  expect(readingOf({ ...text(30), pages })).toMatchObject({ status: 'part', note })
  expect(readingOf({ text: 'a'.repeat(30), length: 40, pages: { ...pages, total: 40 } }).note).toBe(
    `the first 30 of 40 pages; ${note}`,
  )
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
])('a document of the kind %s that cannot be read says so', (kind, message) => {
  expect(describeProblem('unreadable', kind, 'a.x')).toMatchObject({
    status: 'failed',
    code: 'unreadable',
    note: expect.stringMatching(message) as string,
  })
})

it.each([
  [
    'tooLarge',
    'too_large',
    'This document unpacks to more than can be read safely. Please divide it, or save a spreadsheet as CSV.',
  ],
  ['tooSlow', 'too_slow', 'This document took too long to read.'],
] as const)('DOC-14 a document that is %s says which one, and why', (problem, code, sentence) => {
  expect(describeProblem(problem, 'pdf', 'a.pdf')).toMatchObject({
    status: 'failed',
    code,
    note: `Document analysis failed for a.pdf: ${sentence}`,
  })
})

it('DOC-15 DEC-111 text without letters is no content, and pages without text may be scanned', () => {
  const empty = 'No meaningful content could be extracted from this document. It may be empty.'
  for (const nothing of ['', ' --- \n'])
    expect(readingOf({ text: nothing, length: nothing.length })).toMatchObject({
      status: 'failed',
      code: 'no_content',
      note: empty,
    })
  expect(readingOf({ text: '7', length: 1 }).status).toBe('whole')
  expect(readingOf({ ...text(0), pages: { ends: [0], total: 1 } }).note).toContain('scanned')
})
