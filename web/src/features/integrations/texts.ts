import { t } from '@lingui/core/macro'

// catalogue-cards
export const live = t`Live`
export const sandbox = t`Sandbox`
export const sandboxName = (name: string) => t`${name} Sandbox`
export const oauth = t`OAuth 2.0`
export const apiKey = t`API key`
export const noSignIn = t`No sign-in`
export const detected = t`Detected automatically`
export const oauthOrApiKey = t`OAuth or API key`

// connection-status
export const needsReconnect = t`Needs Reconnect`
export const tokenExpired = t`Token Expired`
export const needsRefresh = t`Needs Refresh`
export const connected = t`Connected`
export const notConnected = t`Not connected`
export const needsUpdate = t`Needs update`

// connection-error
export const notAuthenticated = t`User not authenticated`

// oauth-popup
export const popupBlocked = t`Failed to open OAuth popup. Please allow popups for this site.`
export const openingSignIn = t`Opening the sign-in page…`
export const connecting = t`Connecting…`

// several parts
export const connectionFailed = t`Connection Failed`
export const connectionError = t`Connection Error`
export const failedToConnect = t`Failed to connect`
export const optional = t`Optional`
export const serviceUnreachable = t`The service could not be reached.`
export const showValues = t`Show values`
export const hideValues = t`Hide values`
