import { t } from '@lingui/core/macro'

// use-word-export
export const exportWord = t`Export as Word`
export const writing = t`Writing the Word document…`
export const wordFailed = t`The Word document could not be written`
export const wordFailedHint = t`Nothing is lost. Please try again.`
