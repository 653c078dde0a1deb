import { t } from '@lingui/core/macro'
import type { AnalyzeResponse } from '#shared/contracts/documents.ts'
import type { Attachment, Reading } from '#shared/contracts/files.ts'
import { isDocument } from '#shared/file-kinds.ts'
import { ApiError, NetworkError } from '../../../lib/api-errors.ts'

/** The files of a message, and what is called on the way. */
export interface AnalyseDocumentsOptions {
  files: readonly Attachment[]
  analyse: (file: Attachment) => Promise<AnalyzeResponse>
  /** called with how many are done and the name of the first that is not; they are read at the same time */
  onProgress: (progress: { name: string; done: number; total: number }) => void
  /** called for each document; `text` is its extracted text, absent if there is none; `cause` is why the request failed */
  onAnalysed: (file: Attachment, extraction: { reading: Reading; text?: string; cause?: unknown }) => void
}

/**
 * Waits until the service has read all documents of a message, except those that it has read before. An unreadable document is a result, and does
 * not stop the message.
 * @throws errors that are not about one document: the user is signed out or may not do this, or the caller aborted
 */
export async function analyseDocuments({
  files,
  analyse,
  onProgress,
  onAnalysed,
}: AnalyseDocumentsOptions): Promise<void> {
  const documents = files.filter(
    (file) => isDocument(file) && (!file.reading || file.reading.state === 'pending'),
  )
  const waitingDocuments = new Set(documents)
  const reportProgress = () => {
    const [next] = waitingDocuments
    if (next)
      onProgress({ name: next.name, done: documents.length - waitingDocuments.size, total: documents.length })
  }
  reportProgress()
  await Promise.all(
    documents.map(async (file) => {
      onAnalysed(file, await analyseDocument(file, analyse))
      waitingDocuments.delete(file)
      reportProgress()
    }),
  )
}

async function analyseDocument(file: Attachment, analyse: AnalyseDocumentsOptions['analyse']) {
  try {
    const { reading, success, analysis } = await analyse(file)
    return { reading, ...(success && { text: analysis }) }
  } catch (error) {
    return {
      reading: { state: 'unreadable' as const, note: describeAnalysisError(error, file.name) },
      cause: error,
    }
  }
}

/** Says why a document could not be analysed. @throws errors that are not specific to the document */
function describeAnalysisError(error: unknown, name: string): string {
  if (error instanceof NetworkError)
    return t`The document could not be analysed because of a network error. Please check your connection and try again.`
  if (!(error instanceof ApiError) || error.status === 401 || error.status === 403) throw error
  if (error.status === 404) return t`Unable to access the file. It may have been deleted or moved.`
  return t`Document analysis failed for ${name}: ${{ error: error.userMessage }}`
}
