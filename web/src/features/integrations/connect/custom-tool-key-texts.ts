import { t } from '@lingui/core/macro'

// custom-tool-key
export const newKey = (name: string) => t`New key of ${name}`
export const tryAgainHint = t`Please try again.`
export const saveKey = t`Save and continue`
