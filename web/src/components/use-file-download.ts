import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { Attachment } from '#shared/contracts/files.ts'
import { fileLinkQuery } from '../lib/api/file-links.ts'
import { dataUrlToBlob, isDataUrl } from '../lib/browser/data-url.ts'
import { downloadBlob, downloadFile } from '../lib/browser/download.ts'
import { useActions } from '../lib/actions/actions.ts'
import { useUserToast } from './use-user-toast.ts'

/** @returns downloads one of the user's files by a fresh link. A toast says that it failed; after a sign-out nothing happens. */
export function useFileDownload(): (
  file: Pick<Attachment, 'id' | 'name' | 'url' | 'version'>,
) => Promise<void> {
  const queryClient = useQueryClient()
  const actions = useActions()
  const showToast = useUserToast()
  return async ({ id, name, url, version }) => {
    try {
      if (isDataUrl(url)) return downloadBlob(dataUrlToBlob(url), name)
      const { downloadUrl } = await queryClient.fetchQuery(fileLinkQuery(id, version))
      if (!actions.isClosed()) downloadFile(downloadUrl, name)
    } catch (cause) {
      showToast('error', t`Download failed`, { description: t`“${name}” could not be downloaded.`, cause })
    }
  }
}
