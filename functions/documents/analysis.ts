import type { AnalyzeResponse } from '#shared/contracts/documents.ts'
import { analysisFailed, documentMessages, noTextBut } from '#shared/document-messages.ts'
import { omissionNames } from '#shared/document-omissions.ts'
import { maxAnalysisCharacters, truncationMarker } from '#shared/limits.ts'
import { truncate } from '#shared/truncate.ts'
import type { DocumentKind } from '#shared/document-formats.ts'
import { type DocumentErrorCode, type ExtractedText, type Omission, type PageList } from './extracted-text.ts'

type Analysis = Omit<AnalyzeResponse, 'code'> & { code?: string }

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

/** @returns which part of the text the analysis shows; empty if it shows all of it */
function describePart({ text, length, pages }: ExtractedText): string {
  const shown = Math.min(text.length, maxAnalysisCharacters)
  if (shown >= length && (!pages || pages.ends.length === pages.total)) return ''
  if (!pages || pages.total === 1) return `first ${formatNumber(shown)} of ${formatNumber(length)} characters`
  const shownPages = pages.ends.filter((end) => end <= shown).length
  return `${formatNumber(Math.max(1, shownPages))} of ${formatNumber(pages.total)} pages`
}

/** Longer lists of pages end with a number. */
const maxPageRanges = 8

const cutNote = 'reading took too long and ended before the end of the file'

const pageFacts = {
  empty: ['has no text, it may be scanned', 'have no text, they may be scanned'],
  garbled: ['has text in an unknown encoding', 'have text in an unknown encoding'],
} as const

/** @returns for example 'pages 2, 5–9 and 12 have no text, they may be scanned'; empty if that holds for none */
function describePages({ ends, ...pages }: PageList, fact: keyof typeof pageFacts): string {
  const ranges: { first: number; last: number }[] = []
  for (const page of (pages[fact] ?? []).filter((number) => number <= ends.length)) {
    const range = ranges.at(-1)
    if (range && page === range.last + 1) range.last = page
    else ranges.push({ first: page, last: page })
  }
  const named = ranges.slice(0, maxPageRanges)
  const rest = ranges.slice(maxPageRanges).reduce((sum, { first, last }) => sum + last - first + 1, 0)
  const names = [
    ...named.map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`)),
    ...(rest > 0 ? [`${formatNumber(rest)} more`] : []),
  ]
  if (names.length === 0) return ''
  const list = [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')
  const isOne = names.length === 1 && ranges[0]?.first === ranges[0]?.last
  return isOne ? `page ${list} ${pageFacts[fact][0]}` : `pages ${list} ${pageFacts[fact][1]}`
}

/** Describes how much of the document the analysis shows: 'read in full' only if nothing was left out. */
function describeExtraction(extracted: ExtractedText): AnalyzeResponse['reading'] {
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
  return {
    status: isWhole ? 'whole' : 'part',
    note: [isWhole ? whole : part, omissions, assumption].filter(Boolean).join('; '),
  }
}

/** A single letter or digit counts as content. */
const hasContent = (text: string) => /[\p{L}\p{N}]/u.test(text)

export function buildFailedAnalysis(message: string, code: string): Analysis {
  return {
    success: false,
    analysis: message,
    error: message,
    code,
    hasActualContent: false,
    contentLength: 0,
    reading: { status: 'failed', note: message },
  }
}

function describeNoContent({ pages, omitted }: ExtractedText): string {
  if (pages?.garbled) return noTextBut(describePages(pages, 'garbled'))
  if (pages) return documentMessages.scanned
  const omissions = describeOmissions(omitted)
  return omissions === '' ? documentMessages.empty : noTextBut(omissions)
}

export function toAnalysis(extracted: ExtractedText): Analysis {
  if (!hasContent(extracted.text)) return buildFailedAnalysis(describeNoContent(extracted), 'no_content')
  return {
    success: true,
    analysis: capAnalysis(extracted.text),
    error: null,
    hasActualContent: true,
    contentLength: extracted.length,
    reading: describeExtraction(extracted),
  }
}

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

export function toFailedAnalysis(problem: DocumentErrorCode, kind: DocumentKind, fileName: string): Analysis {
  switch (problem) {
    case 'unreadable':
      return buildFailedAnalysis(unreadableMessages[kind] ?? documentMessages.unsupported, 'unreadable')
    case 'tooLarge':
      return buildFailedAnalysis(analysisFailed(fileName, documentMessages.tooLarge), 'too_large')
    case 'tooSlow':
      return buildFailedAnalysis(analysisFailed(fileName, documentMessages.tooSlow), 'too_slow')
    default:
      return buildFailedAnalysis(documentMessages[problem], 'unsupported')
  }
}
