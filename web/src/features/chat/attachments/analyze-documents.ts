import type { AnalyzeResponse } from '#shared/contracts/documents.ts'
import type { Attachment, Extraction } from '#shared/contracts/files.ts'
import { analysisFailed, documentSentences } from '#shared/document-sentences.ts'
import { isDocument } from '#shared/file-kinds.ts'
import { ApiError, NetworkError } from '../../../lib/api-errors.ts'

export interface DocumentAnalysis {
  files: readonly Attachment[]
  analyze: (file: Attachment) => Promise<AnalyzeResponse>
  /** how many are done, and which one is being waited for */
  onProgress: (progress: { name: string; done: number; total: number }) => void
  /** `text` is what was read of it; undefined where nothing could be */
  onAnalyzed: (file: Attachment, extraction: { reading: Extraction; text?: string }) => void
}

/**
 * DOC-01: has every document of a message analysed before it is sent, side by side; those that were read already are not read
 * again. A document that cannot be read is a result, never the end of the message (DOC-09).
 * @throws what says that nothing can be sent at all: the session has ended, or the caller has given up
 */
export async function analyzeDocuments({
  files,
  analyze,
  onProgress,
  onAnalyzed,
}: DocumentAnalysis): Promise<void> {
  const documents = files.filter((file) => isDocument(file) && file.reading === undefined)
  const waiting = new Set(documents)
  const reportProgress = () => {
    const [next] = waiting
    if (next) onProgress({ name: next.name, done: documents.length - waiting.size, total: documents.length })
  }
  reportProgress()
  await Promise.all(
    documents.map(async (file) => {
      onAnalyzed(file, await analyzeDocument(file, analyze))
      waiting.delete(file)
      reportProgress()
    }),
  )
}

async function analyzeDocument(file: Attachment, analyze: DocumentAnalysis['analyze']) {
  try {
    const { reading, success, analysis } = await analyze(file)
    return { reading, ...(success && { text: analysis }) }
  } catch (error) {
    return { reading: { status: 'failed' as const, note: analysisErrorMessage(error, file.name) } }
  }
}

/** DOC-13, DOC-14, DOC-16. @throws what is no matter of the document */
function analysisErrorMessage(error: unknown, name: string): string {
  if (error instanceof NetworkError) return documentSentences.network
  if (!(error instanceof ApiError) || error.status === 401 || error.status === 403) throw error
  if (error.status === 404) return documentSentences.inaccessible
  return analysisFailed(name, error.userMessage)
}
