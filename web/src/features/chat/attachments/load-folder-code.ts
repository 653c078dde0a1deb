import { t } from '@lingui/core/macro'
import { showToast } from '../../../components/ui/toast.ts'

/** Loads the code that attaches folders. A toast says so if it cannot be loaded. @returns undefined then */
export const loadFolderCode = () =>
  import('./attach-folder.ts').catch((cause: unknown) => {
    showToast('error', t`The folder could not be attached`, {
      description: t`A part of the page could not be loaded. Reload the page and try again.`,
      cause,
    })
    return undefined
  })
