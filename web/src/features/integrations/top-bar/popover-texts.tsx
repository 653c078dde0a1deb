import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

// badge-popovers
export const moreIntegrations = t`More integrations`
export const managePermissions = t`Manage Permissions`
export const disconnect = t`Disconnect`
export const disconnectTitle = (name: string) => t`Disconnect ${name}?`
export const reconnect = t`Reconnect`
export const attention = t`Requires attention`
export const accessLost = (assistantName: string, reconnect: ReactNode) => (
  <Trans>
    {assistantName} lost access. {reconnect} to continue.
  </Trans>
)
export const accessExpired = t`Access has expired.`
export const sentence = (expiry: string) => t`${expiry}.`
export const renewsItself = (expiry: string, assistantName: string, reconnect: ReactNode) => (
  <Trans>
    {expiry} {assistantName} renews it automatically; if that fails, {reconnect}.
  </Trans>
)
export const reconnectToContinue = (expiry: string, reconnect: ReactNode) => (
  <Trans>
    {expiry} {reconnect} to continue.
  </Trans>
)
export const openService = t`Open Service`
