import { ApiError } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'

/** The server ends an export that takes longer. */
const timeoutMs = 15 * 60_000

/**
 * Has an archive of everything made, and the browser download it.
 * @throws what `callApi` throws; ApiError when the archive could not be made
 */
export async function saveExport(): Promise<void> {
  const made = await callApi('account.export', {}, { timeoutMs })
  if (!made.success) {
    const { error: sentence, code, requestId } = made
    throw new ApiError({ status: 503, sentence, code, requestId })
  }
  const link = document.createElement('a')
  link.href = made.url
  // the store's address is another origin, which names the file itself
  link.rel = 'noopener'
  link.click()
}
