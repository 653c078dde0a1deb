import { t } from '@lingui/core/macro'

// auth-provider
export const sessionRevoked = t`Two-factor authentication was switched on for your account. Please sign in again.`
export const signOutUnreachable = t`You are signed out in this browser, but the sign-in service could not be reached.`
export const signedOut = t`Signed out`

// hosted-ui
export const signedOutHint = t`You have been successfully signed out.`
