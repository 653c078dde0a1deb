import { t } from '@lingui/core/macro'

export const sources = t`Sources`
