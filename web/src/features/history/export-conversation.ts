import { dismissToast, showToast } from '../../components/ui/toast.ts'
import { callApi } from '../../lib/call-api.ts'
import { saveBlob } from '../../lib/download.ts'

/** A long conversation comes in parts. */
const partMs = 30_000

/** Saves one conversation as a file, which the server writes in parts. */
export async function exportSession(sessionId: string, format: 'markdown' | 'json'): Promise<void> {
  const progressId = `export-${sessionId}`
  try {
    const parts: string[] = []
    let after: string | undefined
    for (;;) {
      const part = await callApi(
        'sessions.export',
        { params: { sessionId }, query: { format, after } },
        { timeoutMs: partMs },
      )
      parts.push(part.content)
      if (part.next === null) {
        dismissToast(progressId)
        saveBlob(new Blob(parts, { type: part.type }), part.file_name)
        return
      }
      after = part.next
      showToast('info', 'Exporting...', { id: progressId, durationMs: partMs })
    }
  } catch {
    dismissToast(progressId)
    showToast('error', 'Export failed', { description: 'The conversation is still here. Please try again.' })
  }
}
