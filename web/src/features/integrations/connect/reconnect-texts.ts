import { t } from '@lingui/core/macro'

// reconnect
export const continueReply = t`Continue`
export const openIntegrations = t`Open integrations`
export const reconnect = t`Reconnect`
export const setUpAgain = (name: string) => t`Set up ${name} again`
