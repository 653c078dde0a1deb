/** Constants only, which are inlined: with a function, this module would become a chunk of its own. */
// catalogue-cards
export const live = 'Live'
export const sandbox = 'Sandbox'
export const oauth = 'OAuth 2.0'
export const apiKey = 'API key'
export const noSignIn = 'No sign-in'
export const detected = 'Detected automatically'
export const oauthOrApiKey = 'OAuth or API key'

// connection-status
export const needsReconnect = 'Needs Reconnect'
export const tokenExpired = 'Token Expired'
export const needsRefresh = 'Needs Refresh'
export const connected = 'Connected'
export const notConnected = 'Not connected'
export const needsUpdate = 'Needs update'

// connection-error
export const notAuthenticated = 'User not authenticated'

// oauth-popup
export const popupBlocked = 'Failed to open OAuth popup. Please allow popups for this site.'
export const openingSignIn = 'Opening the sign-in page…'
export const connecting = 'Connecting…'

// several parts
export const connectionFailed = 'Connection Failed'
export const connectionError = 'Connection Error'
export const failedToConnect = 'Failed to connect'
export const optional = 'Optional'
export const serviceUnreachable = 'The service could not be reached.'
export const showValues = 'Show values'
export const hideValues = 'Hide values'
