import { useQueryClient } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import { errorMessage } from '../lib/api-errors.ts'
import { downloadFile } from '../lib/download.ts'
import { fileLinkQuery } from '../lib/file-links.ts'
import { showToast } from './ui/toast.ts'
import * as texts from './download-texts.ts'

/**
 * Opens one of the user's files in a new tab, instead of the link that was pressed: it may have expired since the page was loaded. Shows a
 * toast on failure.
 */
export function useOpenFile(): (event: MouseEvent, file: Pick<Attachment, 'id' | 'name'>) => Promise<void> {
  const queryClient = useQueryClient()
  return async (event, { id, name }) => {
    event.preventDefault()
    // now, because browsers block tabs that open later than a press
    const tab = window.open('', '_blank')
    if (tab) tab.opener = null
    try {
      const { url, downloadUrl } = await queryClient.fetchQuery(fileLinkQuery(id))
      if (tab) tab.location.replace(url)
      else downloadFile(downloadUrl, name)
    } catch (error) {
      tab?.close()
      showToast('error', texts.fileNotOpened, { description: errorMessage(error) })
    }
  }
}
