import { t } from '@lingui/core/macro'

// use-connections
export const connectFailed = t`Failed to connect integration`
export const oauthStarted = t`OAuth Started`
export const oauthStartedHint = t`Please complete authentication in the popup window.`
export const tokenRefreshed = t`Token Refreshed`
export const tokenRefreshedHint = t`Successfully refreshed access token`
export const refreshFailed = t`Refresh Failed`
export const refreshFailedHint = t`Token refresh failed`
export const refreshUnreachable = t`Failed to refresh token`
export const notStored = (name: string) =>
  t`${name} accepted what you entered, but it could not be stored, so the connection does not work yet. Please connect again.`
export const startFailed = t`Failed to initiate connection. Please try again.`
export const disconnectConsequence = (name: string, assistantName: string) =>
  t`${assistantName} loses access to ${name}, and the keys and tokens stored for it are deleted. You can connect it again at any time.`
export const disconnected = t`Integration Disconnected`
export const disconnectedHint = t`Successfully disconnected the integration`
export const disconnectFailed = t`Failed to disconnect integration`
export const disconnectionFailed = t`Disconnection Failed`
export const disconnectionError = t`Disconnection Error`
export const disconnectionErrorHint = t`Failed to disconnect. Please try again.`
