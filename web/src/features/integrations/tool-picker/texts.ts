import { t } from '@lingui/core/macro'

export const title = t`Tools in this chat`
export const button = (off: number) => (off === 0 ? title : t`Tools in this chat: ${off} off`)
