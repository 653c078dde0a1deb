import { dismissToast, showToast } from '../../components/ui/toast.ts'
import { callApi } from '../../lib/call-api.ts'
import { downloadBlob } from '../../lib/download.ts'
import * as texts from './texts.ts'

/** The timeout for one part. */
const partTimeoutMs = 30_000

/** Downloads a conversation as a file; the server sends it in parts. */
export async function exportConversation(sessionId: string, format: 'markdown' | 'json'): Promise<void> {
  const progressId = `export-${sessionId}`
  try {
    const parts: string[] = []
    let after: string | undefined
    for (;;) {
      const part = await callApi(
        'sessions.export',
        { params: { sessionId }, query: { format, after } },
        { timeoutMs: partTimeoutMs },
      )
      parts.push(part.content)
      if (part.next === null) {
        dismissToast(progressId)
        downloadBlob(new Blob(parts, { type: part.type }), part.file_name)
        return
      }
      after = part.next
      showToast('info', texts.exporting, { id: progressId, durationMs: partTimeoutMs })
    }
  } catch {
    dismissToast(progressId)
    showToast('error', texts.exportFailed, { description: texts.exportFailedHint })
  }
}
