import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { dismissToast, showToast } from '../../components/ui/toast.ts'
import { useActions } from '../../lib/actions/actions.ts'
import { getErrorMessage } from '../../lib/api/api-errors.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { downloadBlob } from '../../lib/browser/download.ts'
import { language } from '../../lib/text/locale.ts'

/** Long, because the server may read many messages for one part. */
const partTimeoutMs = 30_000

/** The formats that the server writes. */
export type ExportFormat = 'markdown' | 'json'

/** @returns downloads a conversation as a file. While one is being exported, the same one in the same format is ignored */
export function useExportConversation(): (sessionId: string, format: ExportFormat) => void {
  const actions = useActions()
  return useCallback(
    (sessionId, format) =>
      void actions.start(`export ${sessionId} ${format}`, () =>
        exportConversation(sessionId, format, actions.isClosed),
      ),
    [actions],
  )
}

/** The server sends it in parts. Nothing is downloaded after a sign-out. */
async function exportConversation(
  sessionId: string,
  format: ExportFormat,
  isClosed: () => boolean,
): Promise<void> {
  const progressId = `export-${sessionId}-${format}`
  try {
    const parts: string[] = []
    let after: string | undefined
    for (;;) {
      const part = await callApi(
        'sessions.export',
        { params: { sessionId }, query: { format, after, language } },
        { timeoutMs: partTimeoutMs },
      )
      if (isClosed()) return
      parts.push(part.content)
      if (part.next === null) {
        dismissToast(progressId)
        downloadBlob(new Blob(parts, { type: part.type }), part.file_name)
        return
      }
      after = part.next
      // until the next part, at most
      showToast('info', t`Exporting…`, { id: progressId, durationMs: partTimeoutMs })
    }
  } catch (error) {
    dismissToast(progressId)
    if (!isClosed())
      showToast('error', t`Export failed`, { description: getErrorMessage(error), cause: error })
  }
}
