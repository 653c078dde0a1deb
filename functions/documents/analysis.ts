import { supportedFormats, type DocumentKind } from '#shared/document-formats.ts'
import { sayDocument } from '#shared/sentences/documents.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { joinSentences, toCodes } from '#shared/sentences/to-sentence.ts'
import { maxAnalysisCharacters, truncationMarker } from '#shared/limits.ts'
import { truncate } from '#shared/truncate.ts'
import type { StoredReading } from '../files/file-row.ts'
import { formatRange, listRanges } from '../platform/number-ranges.ts'
import type { DocumentErrorCode, Omission, PageList } from './extracted-text.ts'
import type { ParsedDocument } from './parser-contract.ts'

export function capAnalysis(text: string): string {
  return text.length <= maxAnalysisCharacters
    ? text
    : `${truncate(text, maxAnalysisCharacters)}\n\n${truncationMarker}`
}

/** @returns for example '2 formulas, 1 chart and 3 pictures were not read'; undefined if nothing was left out */
function describeOmissions(omitted: readonly Omission[] = []): Sentence | undefined {
  if (omitted.length === 0) return undefined
  const things = omitted.map(({ what, count }) => sayDocument(`omitted.${what}`, { count }))
  const isOne = omitted.length === 1 && omitted[0]?.count === 1
  return sayDocument(isOne ? 'not_read.one' : 'not_read.several', { things })
}

function describePart({ text, length, pages }: ParsedDocument): Sentence | undefined {
  const read = pages?.ends.length ?? 0
  if (pages && pages.total > 1 && read > 0 && read < pages.total)
    return sayDocument('read_in_part.pages', { read, pages: pages.total })
  return text.characters >= length
    ? undefined
    : sayDocument('read_in_part.characters', { read: text.characters, characters: length })
}

const maxPageRanges = 8

const pageCodes = { empty: 'pages_without_text', garbled: 'pages_garbled', plain: 'pages_plain' } as const
type PageFact = keyof typeof pageCodes

/** @returns for example 'pages 2, 5–9 and 12 have no text, they may be scanned'; undefined if that holds for none */
function describePages({ ends, ...found }: PageList, fact: PageFact): Sentence | undefined {
  const ranges = listRanges((found[fact] ?? []).filter((number) => number <= ends.length))
  const rest = ranges.slice(maxPageRanges).reduce((sum, { first, last }) => sum + last - first + 1, 0)
  const pages = [
    ...ranges.slice(0, maxPageRanges).map(formatRange),
    ...(rest > 0 ? [sayDocument('more_pages', { count: rest })] : []),
  ]
  if (pages.length === 0) return undefined
  const isOne = pages.length === 1 && ranges[0]?.first === ranges[0]?.last
  const code = pageCodes[fact]
  return sayDocument(`${code}.${isOne ? 'one' : 'several'}`, { pages })
}

const isSaid = (sentence: Sentence | undefined): sentence is Sentence => sentence !== undefined

function describeExtraction(extracted: ParsedDocument): StoredReading {
  const { assumedEncoding: encoding, hidden, pages, plain: plainParts, unproven } = extracted
  const hasPages = pages !== undefined && pages.total > 1
  // of a text that was cut, the length is not known; pages are counted as they are read
  const isCut = extracted.isCut && !hasPages
  const missing = [
    isCut ? sayDocument('read_in_part.time') : describePart(extracted),
    pages && describePages(pages, 'empty'),
    pages && describePages(pages, 'garbled'),
    describeOmissions(extracted.omitted),
  ].filter(isSaid)
  const whole = hasPages
    ? sayDocument('read_in_full.pages', { pages: pages.total })
    : sayDocument('read_in_full')
  const plain = pages && describePages(pages, 'plain')
  const sentences = [
    ...(missing.length > 0 ? missing : [whole]),
    ...(plain ? [plain] : []),
    ...(plainParts ? [sayDocument('parts_plain', { count: plainParts })] : []),
    ...(unproven ? [sayDocument('parts_unproven', { count: unproven })] : []),
    ...(hidden ? [sayDocument('marked_hidden', { count: hidden })] : []),
    ...(encoding === undefined ? [] : [sayDocument('encoding_guessed', { encoding })]),
  ]
  return {
    status: missing.length > 0 ? 'part' : 'whole',
    note: joinSentences(sentences, '; '),
    codes: toCodes(sentences),
  }
}

export const failedReading = (sentence: Sentence): StoredReading => ({
  status: 'failed',
  note: sentence.text,
  code: sentence.code,
  codes: toCodes([sentence]),
})

function describeNoContent({ pages, omitted }: ParsedDocument): Sentence {
  const omissions = pages?.garbled ? describePages(pages, 'garbled') : describeOmissions(omitted)
  if (pages && !pages.garbled) return sayDocument('no_content.scanned')
  return omissions ? sayDocument('no_content.but', { omissions }) : sayDocument('no_content.empty')
}

export const describeReading = (extracted: ParsedDocument): StoredReading =>
  extracted.hasContent ? describeExtraction(extracted) : failedReading(describeNoContent(extracted))

const formats = supportedFormats
export const unsupportedDocument = sayDocument('unsupported.format', { formats })

const withSentences = ['word', 'pdf', 'sheet', 'slides', 'openDocument', 'mail', 'book'] as const

function describeUnreadable(kind: DocumentKind): Sentence {
  const own = withSentences.find((one) => one === (kind === 'mailbox' ? 'mail' : kind))
  return own ? sayDocument(`unreadable.${own}`) : sayDocument('unreadable.format', { formats })
}

export function describeProblem(
  problem: DocumentErrorCode,
  kind: DocumentKind,
  fileName: string,
): StoredReading {
  switch (problem) {
    case 'unreadable':
      return failedReading(describeUnreadable(kind))
    case 'tooLarge':
      return failedReading(sayDocument('too_large', { name: fileName }))
    case 'unsupported':
      return failedReading(unsupportedDocument)
    case 'tooSlow':
    case 'late':
      return failedReading(sayDocument('too_slow', { name: fileName }))
    default:
      return failedReading(sayDocument(`unsupported.${problem}`))
  }
}
