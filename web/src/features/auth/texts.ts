// auth-provider
export const sessionRevoked =
  'Two-factor authentication was switched on for your account. Please sign in again.'
export const signOutUnreachable =
  'You are signed out in this browser, but the sign-in service could not be reached.'
export const signedOut = 'Signed out'

// hosted-ui
export const signedOutHint = 'You have been successfully signed out.'
