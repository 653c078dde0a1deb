import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import { useActions } from '../lib/actions/actions.ts'
import { getErrorMessage } from '../lib/api/api-errors.ts'
import { downloadFile } from '../lib/browser/download.ts'
import { fileLinkQuery } from '../lib/api/file-links.ts'
import { useUserToast } from './use-user-toast.ts'

interface LinkHandlers {
  onClick: (event: MouseEvent) => void
  /** the middle button, which asks for a new tab without a click event */
  onAuxClick: (event: MouseEvent) => void
}

/**
 * The handlers of a link to one of the user's files. They open the file in a new tab by another link, as the one that was pressed may have
 * expired since the page was loaded. A toast reports a failure; after a sign-out nothing opens.
 */
export function useFileLinkHandlers(): (file: Pick<Attachment, 'id' | 'name'>) => LinkHandlers {
  const queryClient = useQueryClient()
  const actions = useActions()
  const showToast = useUserToast()
  async function open(event: MouseEvent, { id, name }: Pick<Attachment, 'id' | 'name'>): Promise<void> {
    event.preventDefault()
    // now, because browsers block tabs that open later than a press
    const tab = window.open('', '_blank')
    // the file must not reach this page; with `noopener` there would be no tab to lead to it
    if (tab) tab.opener = null
    try {
      const { url, downloadUrl } = await queryClient.fetchQuery(fileLinkQuery(id))
      if (actions.isClosed()) tab?.close()
      else if (tab) tab.location.replace(url)
      else downloadFile(downloadUrl, name)
    } catch (error) {
      tab?.close()
      showToast('error', t`The file could not be opened`, {
        description: getErrorMessage(error),
        cause: error,
      })
    }
  }
  return (file) => ({
    onClick: (event) => void open(event, file),
    onAuxClick: (event) => {
      if (event.button === 1) void open(event, file)
    },
  })
}
