import { t } from '@lingui/core/macro'

// export-word
export const you = t`You`
export const startedAt = (time: string) => t`Started ${time}`

// word-document
export const sources = t`Sources`
export const attached = (name: string) => t`Attached: ${name}`
