// oauth-callback-page
export const documentTitle = 'Connecting'
export const completing = 'Completing the connection…'
export const providerConnected = (provider: string) => `${provider} is connected`
export const closesByItself = 'This window closes automatically.'
export const takingBack = 'Taking you back…'
export const closeHint = 'Close this window and press Connect again. Nothing was changed.'

// oauth-callback
export const accessDenied = 'You did not grant the permission.'
export const invalidRequest = 'The provider did not understand the request.'
export const unauthorizedClient =
  'This app may not ask for a permission this way. Please check its settings at the provider.'
export const applicationSuspended = 'The provider has suspended this app.'
export const unsupportedResponseType = 'The provider does not offer this kind of sign-in.'
export const invalidScope = 'The app is not allowed to ask for these permissions.'
export const invalidTarget = 'The provider does not know this server.'
export const redirectUriMismatch = 'The redirect URI of the app is not the one shown here.'
export const serverError = 'The provider had an error. Please try again in a moment.'
export const temporarilyUnavailable = 'The provider is busy. Please try again in a moment.'
export const loginRequired = 'Please sign in at the provider first.'
export const accountSelectionRequired = 'Please choose an account at the provider first.'
export const unknownProviderError = 'OAuth provider error: the provider gave no known reason.'
export const providerError = (code: string, reason: string) => `OAuth provider error: ${code}. ${reason}`
export const missingCode = 'Missing authorization code or state parameter'
export const unexpectedResponse = 'Unexpected response from authentication service'
export const signInAgain = 'Please sign in again, then connect once more.'
export const callbackFailed = 'OAuth callback failed'
