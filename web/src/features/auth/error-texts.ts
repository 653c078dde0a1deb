export const invalidCredentials = 'Invalid email or password. Please try again.'
export const accountExists = 'An account with this email already exists. Please sign in instead.'
export const notInvited =
  'This site is by invitation, and there is none for this e-mail address, or it has expired. Ask the person who runs the site for one.'
export const otherDomain =
  'Accounts here are for certain e-mail domains. Use your address there, or ask the person who runs the site for an invitation.'
export const notConfirmed = 'Please check your email and click the confirmation link before signing in.'
export const googleNotConfigured = 'Google authentication is not configured. Please contact support.'
export const misconfigured = 'Authentication configuration error. Please contact support.'
export const googleExpired =
  'This sign-in with Google took too long or was started elsewhere. Please try again.'
export const googleCancelled = 'Google authentication was cancelled. Please try again.'
export const requiredFields = 'Please fill in all required fields'
export const fullNameRequired = 'Please enter your full name'
export const emailFirst = 'Please enter your e-mail address first'
export const emailInvalid = 'Please enter a valid e-mail address.'
export const wrongCode = 'That code is wrong. Please check it and try again.'
export const codeExpired = 'This code was already used or has expired. Ask for a new one.'
export const wrongTotp = 'Invalid verification code. Please try again.'
export const challengeExpired = 'That took too long. Please sign in again.'
export const alreadyConfirmed = 'This e-mail address is already confirmed. You can sign in.'
export const tooManyAttempts = 'Too many attempts. Please wait a few minutes and try again.'
export const mailNotSent = 'The e-mail could not be sent. Please try again later.'
export const unreachable = 'The sign-in service could not be reached. Check your connection and try again.'
export const passwordSetSessionsOpen =
  'Your new password is set, but other sessions could not be ended. Please sign in, then choose “Sign out everywhere” in the settings.'
export const confirmedWithoutPassword =
  'Your e-mail address is confirmed, but something went wrong. Please choose “Forgot your password?” to set a password.'
export const unknown = 'Something went wrong. Please try again.'

// auth-errors
export const passwordTooShort = (minCharacters: number) =>
  `Password must be at least ${minCharacters} characters long.`
