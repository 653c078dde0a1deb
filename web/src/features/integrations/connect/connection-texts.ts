// use-connections
export const connectFailed = 'Failed to connect integration'
export const oauthStarted = 'OAuth Started'
export const oauthStartedHint = 'Please complete authentication in the popup window.'
export const tokenRefreshed = 'Token Refreshed'
export const tokenRefreshedHint = 'Successfully refreshed access token'
export const refreshFailed = 'Refresh Failed'
export const refreshFailedHint = 'Token refresh failed'
export const refreshUnreachable = 'Failed to refresh token'
export const notStored = (name: string) =>
  `${name} accepted what you entered, but it could not be stored, so the connection does not work yet. Please connect again.`
export const startFailed = 'Failed to initiate connection. Please try again.'
export const disconnectConsequence = (name: string, assistantName: string) =>
  `${assistantName} loses access to ${name}, and the keys and tokens stored for it are deleted. You can connect it again at any time.`
export const disconnected = 'Integration Disconnected'
export const disconnectedHint = 'Successfully disconnected the integration'
export const disconnectFailed = 'Failed to disconnect integration'
export const disconnectionFailed = 'Disconnection Failed'
export const disconnectionError = 'Disconnection Error'
export const disconnectionErrorHint = 'Failed to disconnect. Please try again.'
