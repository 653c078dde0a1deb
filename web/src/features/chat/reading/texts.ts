import { t } from '@lingui/core/macro'

// read-aloud-button
export const readAloud = t`Read aloud`
export const stopReading = t`Stop reading`
export const notReadAloud = t`The reply could not be read aloud. Please try again.`
