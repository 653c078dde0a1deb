import { t } from '@lingui/core/macro'
import type { Reading } from '#shared/contracts/files.ts'
import { describeReading } from '../../../components/describe-reading.ts'
import { showToast } from '../../../components/ui/toast.ts'
import type { ChatApi } from '../stream/chat-api.ts'
import type { Effect } from './conversation-machine.ts'
import type { RequestReport } from './request-reports.ts'

interface AnalysisContext {
  api: Pick<ChatApi, 'analyse'>
  signal: AbortSignal
  dispatch: (report: RequestReport) => unknown
  /** called with the text of a document that the service does not store */
  onText: (attachmentId: string, text: string) => void
}

/**
 * Has the documents of a message read before it is sent. A toast says why one is unreadable; the message is sent all the same.
 * @throws what `ChatApi.analyse` throws
 */
export async function analyseMessage(
  { request, message }: Extract<Effect, { type: 'analyse' }>,
  { api, signal, dispatch, onText }: AnalysisContext,
): Promise<void> {
  const { analyseDocuments } = await import('../attachments/analyse-documents.ts')
  await analyseDocuments({
    files: message.attachments,
    analyse: (file) => api.analyse(file, signal),
    onProgress: (progress) => dispatch({ type: 'document-progressed', request, ...progress }),
    onAnalysed: (file, { reading, text, cause }) => {
      if (signal.aborted) return
      if (text !== undefined) onText(file.id, text)
      dispatch({ type: 'document-analysed', request, attachmentId: file.id, reading })
      if (reading.state === 'unreadable') notifyUnreadable(reading, cause)
    },
  })
  dispatch({ type: 'documents-analysed', request })
}

const notifyUnreadable = (reading: Reading, cause: unknown) =>
  showToast('error', t`Document Analysis Error`, { description: describeReading({ reading }) ?? '', cause })
