import type { ReactNode } from 'react'

// badge-popovers
export const moreIntegrations = 'More integrations'
export const managePermissions = 'Manage Permissions'
export const disconnect = 'Disconnect'
export const disconnectTitle = (name: string) => `Disconnect ${name}?`
export const reconnect = 'Reconnect'
export const attention = 'Requires attention'
export const accessLost = (assistantName: string, reconnect: ReactNode) => (
  <>
    {assistantName} lost access. {reconnect} to continue.
  </>
)
export const accessExpired = 'Access has expired.'
export const renewsItself = (expiry: string, assistantName: string, reconnect: ReactNode) => (
  <>
    {expiry} {assistantName} renews it automatically; if that fails, {reconnect}.
  </>
)
export const reconnectToContinue = (expiry: string, reconnect: ReactNode) => (
  <>
    {expiry} {reconnect} to continue.
  </>
)
export const openService = 'Open Service'
