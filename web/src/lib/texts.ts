import { t } from '@lingui/core/macro'

export const serviceUnreachable = t`The service could not be reached. Please try again.`

// api-errors
export const signInAgain = t`Please sign in again.`
export const accountDisabled = t`This account is disabled. Ask the person who runs the site.`
export const offline = t`You are offline. Please try again when you are online.`

export const sessionExpired = t`Your session has expired. Please refresh the page and sign in again.`

// auth-tokens
export const signOutUnconfirmed = t`You are signed out in this browser, but the sign-in service did not confirm it.`

// call-api
export const unexpectedResponse = t`The service answered with something unexpected. Please try again.`

// dates
export const today = t`Today`
export const yesterday = t`Yesterday`
export const previousWeek = t`Previous 7 days`

// reply-notifications
export const replyReady = t`Your reply is ready.`
