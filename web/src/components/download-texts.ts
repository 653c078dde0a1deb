import { t } from '@lingui/core/macro'

// use-file-download
export const downloadFailed = t`Download failed`
export const fileNotDownloaded = (name: string) => t`“${name}” could not be downloaded.`

// use-file-link-handlers
export const fileNotOpened = t`The file could not be opened`
