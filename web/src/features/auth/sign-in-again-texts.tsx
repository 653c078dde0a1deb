// sign-in-again-dialog
export const wrongPassword = 'This password is wrong. Please try again.'
export const title = 'Sign in again'
export const description = 'You signed in a while ago. Please confirm that it is you.'
export const continueSignIn = 'Continue'
export const waitingForNextCode = 'Your last code was just used. Waiting for the next one, up to 30 seconds…'
export const signedInAs = (email: string) => (
  <>
    You are signed in as <strong className="font-medium">{email}</strong>.
  </>
)
export const password = 'Password'

// provider-sign-in-dialog
export const continueAt = (label: string) => `Continue with ${label}`
export const leaveForProvider = (label: string) =>
  `You sign in with ${label}. You will leave this page for a moment and then come back to it. After that, please try again.`
