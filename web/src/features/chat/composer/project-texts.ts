import { t } from '@lingui/core/macro'

export const project = (name: string) => t`Project: ${name}`
