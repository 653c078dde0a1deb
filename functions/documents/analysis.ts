import type { AnalyzeResponse } from '#shared/contracts/documents.ts'
import { analysisFailed, documentMessages } from '#shared/document-messages.ts'
import { maxAnalysisCharacters, truncationMarker } from '#shared/limits.ts'
import { truncate } from '#shared/truncate.ts'
import type { DocumentKind } from './document-kind.ts'
import type { ExtractedText, DocumentErrorCode } from './extracted-text.ts'

type Analysis = Omit<AnalyzeResponse, 'code'> & { code?: string }

/** Truncates a text to the maximum length of an analysis, and marks the end. */
export function capAnalysis(text: string): string {
  return text.length <= maxAnalysisCharacters
    ? text
    : `${truncate(text, maxAnalysisCharacters)}\n\n${truncationMarker}`
}

const formatNumber = (value: number) => value.toLocaleString('en')

/** Describes how much of the document the analysis shows. */
function describeExtraction({ text, length, pages }: ExtractedText): AnalyzeResponse['reading'] {
  const shown = Math.min(text.length, maxAnalysisCharacters)
  const hasPages = pages !== undefined && pages.total > 1
  if (shown >= length && (!pages || pages.ends.length === pages.total))
    return { status: 'whole', note: hasPages ? `all ${formatNumber(pages.total)} pages` : 'read in full' }
  if (hasPages) {
    const shownPages = pages.ends.filter((end) => end <= shown).length
    return {
      status: 'part',
      note: `${formatNumber(Math.max(1, shownPages))} of ${formatNumber(pages.total)} pages`,
    }
  }
  return { status: 'part', note: `first ${formatNumber(shown)} of ${formatNumber(length)} characters` }
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

export function toAnalysis(extracted: ExtractedText): Analysis {
  if (!hasContent(extracted.text))
    return buildFailedAnalysis(
      extracted.pages ? documentMessages.scanned : documentMessages.empty,
      'no_content',
    )
  return {
    success: true,
    analysis: capAnalysis(extracted.text),
    error: null,
    hasActualContent: true,
    contentLength: extracted.length,
    reading: describeExtraction(extracted),
  }
}

const unreadableMessages: Readonly<Record<DocumentKind, string>> = {
  word: documentMessages.word,
  pdf: documentMessages.pdf,
  sheet: documentMessages.sheet,
  slides: documentMessages.slides,
  text: documentMessages.unsupported,
}

export function toFailedAnalysis(problem: DocumentErrorCode, kind: DocumentKind, fileName: string): Analysis {
  if (problem === 'unreadable') return buildFailedAnalysis(unreadableMessages[kind], 'unreadable')
  return problem === 'tooLarge'
    ? buildFailedAnalysis(analysisFailed(fileName, documentMessages.tooLarge), 'too_large')
    : buildFailedAnalysis(analysisFailed(fileName, documentMessages.tooSlow), 'too_slow')
}
