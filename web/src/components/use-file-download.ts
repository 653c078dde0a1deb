import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { Attachment } from '#shared/contracts/files.ts'
import { fileLinkQuery } from '../lib/file-links.ts'
import { dataUrlToBlob, isDataUrl } from '../lib/data-url.ts'
import { downloadBlob, downloadFile } from '../lib/download.ts'
import { showToast } from './ui/toast.ts'

/** Downloads one of the user's files through a fresh link; shows a toast on failure. */
export function useFileDownload(): (file: Pick<Attachment, 'id' | 'name' | 'url'>) => Promise<void> {
  const queryClient = useQueryClient()
  return async ({ id, name, url }) => {
    try {
      if (isDataUrl(url)) return downloadBlob(dataUrlToBlob(url), name)
      const { downloadUrl } = await queryClient.fetchQuery(fileLinkQuery(id))
      downloadFile(downloadUrl, name)
    } catch {
      showToast('error', t`Download failed`, { description: t`“${name}” could not be downloaded.` })
    }
  }
}
