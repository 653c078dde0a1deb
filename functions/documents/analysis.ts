import { analysisFailed, documentMessages, noTextBut } from '#shared/document-messages.ts'
import { omissionNames } from '#shared/document-omissions.ts'
import { maxAnalysisCharacters, truncationMarker } from '#shared/limits.ts'
import { truncate } from '#shared/truncate.ts'
import type { DocumentKind } from '#shared/document-formats.ts'
import type { StoredReading } from '../files/file-row.ts'
import { formatRange, listRanges } from '../platform/number-ranges.ts'
import type { DocumentErrorCode, Omission, PageList } from './extracted-text.ts'
import type { ParsedDocument } from './parser-contract.ts'

/** Truncates a text to the maximum length of an analysis, and marks the end. */
export function capAnalysis(text: string): string {
  return text.length <= maxAnalysisCharacters
    ? text
    : `${truncate(text, maxAnalysisCharacters)}\n\n${truncationMarker}`
}

const formatNumber = (value: number) => value.toLocaleString('en')

/** @returns for example '2 formulas, 1 chart and 3 pictures were not read'; empty if nothing was left out */
function describeOmissions(omitted: readonly Omission[] = []): string {
  const names = omitted.map(
    ({ what, count }) => `${formatNumber(count)} ${omissionNames[what][count === 1 ? 0 : 1]}`,
  )
  if (names.length === 0) return ''
  const isOne = omitted.length === 1 && omitted[0]?.count === 1
  const list = [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')
  return `${list} ${isOne ? 'was' : 'were'} not read`
}

/** @returns which part of the text is stored; empty if all of it is */
function describePart({ text, length, pages }: ParsedDocument): string {
  const read = pages?.ends.length ?? 0
  if (pages && pages.total > 1 && read > 0 && read < pages.total)
    return `the first ${formatNumber(read)} of ${formatNumber(pages.total)} pages`
  return text.characters >= length
    ? ''
    : `the first ${formatNumber(text.characters)} of ${formatNumber(length)} characters`
}

/** Longer lists of pages end with a number. */
const maxPageRanges = 8

const cutNote = 'reading took too long and ended before the end of the file'

const describeHidden = (count = 0) =>
  count === 0 ? '' : `${formatNumber(count)} hidden ${count === 1 ? 'part is' : 'parts are'} marked as hidden`

const pageFacts = {
  empty: ['has no text, it may be scanned', 'have no text, they may be scanned'],
  garbled: ['has text in an unknown encoding', 'have text in an unknown encoding'],
} as const

/** @returns for example 'pages 2, 5–9 and 12 have no text, they may be scanned'; empty if that holds for none */
function describePages({ ends, ...pages }: PageList, fact: keyof typeof pageFacts): string {
  const ranges = listRanges((pages[fact] ?? []).filter((number) => number <= ends.length))
  const named = ranges.slice(0, maxPageRanges)
  const rest = ranges.slice(maxPageRanges).reduce((sum, { first, last }) => sum + last - first + 1, 0)
  const names = [...named.map(formatRange), ...(rest > 0 ? [`${formatNumber(rest)} more`] : [])]
  if (names.length === 0) return ''
  const list = [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')
  const isOne = names.length === 1 && ranges[0]?.first === ranges[0]?.last
  return isOne ? `page ${list} ${pageFacts[fact][0]}` : `pages ${list} ${pageFacts[fact][1]}`
}

/** Describes how much of the document its stored text has: 'read in full' only if nothing was left out. */
function describeExtraction(extracted: ParsedDocument): StoredReading {
  const hasPages = extracted.pages !== undefined && extracted.pages.total > 1
  // of a text that was cut, the length is not known
  const part = extracted.isCut && !hasPages ? '' : describePart(extracted)
  const omissions = [
    // pages are counted as they are read
    extracted.isCut && !hasPages ? cutNote : '',
    extracted.pages ? describePages(extracted.pages, 'empty') : '',
    extracted.pages ? describePages(extracted.pages, 'garbled') : '',
    describeOmissions(extracted.omitted),
  ]
    .filter(Boolean)
    .join('; ')
  const whole = hasPages ? `all ${formatNumber(extracted.pages?.total ?? 0)} pages` : 'read in full'
  const isWhole = part === '' && omissions === ''
  const { assumedEncoding } = extracted
  const assumption = assumedEncoding === undefined ? '' : `read as ${assumedEncoding}, which is a guess`
  const hidden = describeHidden(extracted.hidden)
  return {
    status: isWhole ? 'whole' : 'part',
    note: [isWhole ? whole : part, omissions, hidden, assumption].filter(Boolean).join('; '),
  }
}

export const failedReading = (code: string, message: string): StoredReading => ({
  status: 'failed',
  note: message,
  code,
})

function describeNoContent({ pages, omitted }: ParsedDocument): string {
  if (pages?.garbled) return noTextBut(describePages(pages, 'garbled'))
  if (pages) return documentMessages.scanned
  const omissions = describeOmissions(omitted)
  return omissions === '' ? documentMessages.empty : noTextBut(omissions)
}

/** What the row of a file says of its reading. */
export const describeReading = (extracted: ParsedDocument): StoredReading =>
  extracted.hasContent
    ? describeExtraction(extracted)
    : failedReading('no_content', describeNoContent(extracted))

const unreadableMessages: Readonly<Partial<Record<DocumentKind, string>>> = {
  word: documentMessages.word,
  pdf: documentMessages.pdf,
  sheet: documentMessages.sheet,
  slides: documentMessages.slides,
  openDocument: documentMessages.openDocument,
  mail: documentMessages.mail,
  mailbox: documentMessages.mail,
  book: documentMessages.book,
}

/** Why a document was not read. */
export function describeProblem(
  problem: DocumentErrorCode,
  kind: DocumentKind,
  fileName: string,
): StoredReading {
  switch (problem) {
    case 'unreadable':
      return failedReading('unreadable', unreadableMessages[kind] ?? documentMessages.unsupported)
    case 'tooLarge':
      return failedReading('too_large', analysisFailed(fileName, documentMessages.tooLarge))
    case 'tooSlow':
      return failedReading('too_slow', analysisFailed(fileName, documentMessages.tooSlow))
    default:
      return failedReading('unsupported', documentMessages[problem])
  }
}
