import { useQueryClient } from '@tanstack/react-query'
import type { Attachment } from '#shared/contracts/files.ts'
import { fileLinkQuery } from '../lib/file-links.ts'
import { saveFrom } from '../lib/download.ts'
import { showToast } from './ui/toast.ts'

/** How one of the person's files gets into the browser's downloads, by a fresh link; a failure is told in a toast. */
export function useFileDownload(): (file: Pick<Attachment, 'id' | 'name'>) => Promise<void> {
  const queryClient = useQueryClient()
  return async ({ id, name }) => {
    try {
      const { downloadUrl } = await queryClient.fetchQuery(fileLinkQuery(id))
      saveFrom(downloadUrl, name)
    } catch {
      showToast('error', 'Download failed', { description: `“${name}” could not be downloaded.` })
    }
  }
}
