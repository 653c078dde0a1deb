import { t } from '@lingui/core/macro'

// print-dialog
export const hint = t`This is what is printed. To make a PDF, choose it as the printer.`
export const print = t`Print`
export const preparing = t`Preparing the conversation…`
export const notPrepared = t`The conversation could not be loaded.`
export const you = t`You`
