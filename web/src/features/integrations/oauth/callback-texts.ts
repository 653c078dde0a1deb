import { t } from '@lingui/core/macro'

// oauth-callback-page
export const documentTitle = t`Connecting`
export const completing = t`Completing the connection…`
export const providerConnected = (provider: string) => t`${provider} is connected`
export const closesByItself = t`This window closes automatically.`
export const takingBack = t`Taking you back…`
export const closeHint = t`Close this window and press Connect again. Nothing was changed.`
export const signIn = t`Sign in`
export const lookHint = t`Close this window and look at the integrations: if it is not connected there, press Connect again.`

// oauth-callback
export const accessDenied = t`You did not grant the permission.`
export const invalidRequest = t`The provider did not understand the request.`
export const unauthorizedClient = t`This app may not ask for a permission this way. Please check its settings at the provider.`
export const applicationSuspended = t`The provider has suspended this app.`
export const unsupportedResponseType = t`The provider does not offer this kind of sign-in.`
export const invalidScope = t`The app is not allowed to ask for these permissions.`
export const invalidTarget = t`The provider does not know this server.`
export const redirectUriMismatch = t`The redirect URI of the app is not the one shown here.`
export const serverError = t`The provider had an error. Please try again in a moment.`
export const temporarilyUnavailable = t`The provider is busy. Please try again in a moment.`
export const loginRequired = t`Please sign in at the provider first.`
export const accountSelectionRequired = t`Please choose an account at the provider first.`
export const unknownProviderError = t`OAuth provider error: the provider gave no known reason.`
export const providerError = (code: string, reason: string) => t`OAuth provider error: ${code}. ${reason}`
export const missingCode = t`Missing authorization code or state parameter`
export const unexpectedResponse = t`Unexpected response from authentication service`
export const signInAgain = t`Please sign in again, then connect once more.`
export const callbackFailed = t`OAuth callback failed`
