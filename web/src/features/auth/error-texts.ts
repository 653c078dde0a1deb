import { plural, t } from '@lingui/core/macro'

export const invalidCredentials = t`Invalid email or password. Please try again.`
export const accountExists = t`An account with this email already exists. Please sign in instead.`
export const notInvited = t`This site is by invitation, and there is none for this e-mail address, or it has expired. Ask the person who runs the site for one.`
export const otherDomain = t`Sign-up is limited to certain e-mail domains. Use your address at one of them, or ask the person who runs the site for an invitation.`
export const notConfirmed = t`Please check your email and click the confirmation link before signing in.`
export const googleNotConfigured = t`Google authentication is not configured. Please contact support.`
export const misconfigured = t`Authentication configuration error. Please contact support.`
export const providerExpired = (label: string | undefined) =>
  label === undefined
    ? t`This sign-in took too long or was started elsewhere. Please try again.`
    : t`This sign-in with ${label} took too long or was started elsewhere. Please try again.`
export const googleCancelled = t`Google authentication was cancelled. Please try again.`
export const providerRefused = (label: string | undefined) =>
  label === undefined
    ? t`The identity provider did not sign you in: you cancelled, or your account there may not use this site. Please try again, or ask the person who runs the site.`
    : t`${label} did not sign you in: you cancelled, or your account there may not use this site. Please try again, or ask the person who runs the site.`
export const accountExistsAt = (label: string) =>
  t`An account with this email already exists. Please sign in with ${label} instead.`
export const accountHasPassword = t`An account with this email already exists, with a password, and passwords are switched off here. Ask the person who runs the site.`
export const domainSignsInAt = (label: string) =>
  t`Your organisation signs in with ${label}. Please choose “Continue with ${label}”.`
export const passwordsOff = t`Sign-in with a password is switched off here. Please sign in another way.`
export const otherAccount = t`You signed in with another account. Please sign in again with the one that you are using here.`
export const providerOff = t`Sign-in with this provider is switched off here. Ask the person who runs the site.`
export { accountDisabled } from '../../lib/texts.ts'
export const noProviderForEmail = t`No sign-in is set up for this address. Check it, or choose one of the buttons.`
export const requiredFields = t`Please fill in all required fields`
export const fullNameRequired = t`Please enter your full name`
export const emailFirst = t`Please enter your e-mail address first`
export const emailInvalid = t`Please enter a valid e-mail address.`
export const wrongCode = t`That code is wrong. Please check it and try again.`
export const codeExpired = t`This code was already used or has expired. Ask for a new one.`
export const wrongTotp = t`Invalid verification code. Please try again.`
export const challengeExpired = t`That took too long. Please sign in again.`
export const alreadyConfirmed = t`This e-mail address is already confirmed. You can sign in.`
export const tooManyAttempts = t`Too many attempts. Please wait a few minutes and try again.`
export const mailNotSent = t`The e-mail could not be sent. Please try again later.`
export const unreachable = t`The sign-in service could not be reached. Check your connection and try again.`
export const passwordSetSessionsOpen = t`Your new password is set, but other sessions could not be ended. Please sign in, then choose “Sign out everywhere” in the settings.`
export const confirmedWithoutPassword = t`Your e-mail address is confirmed, but something went wrong. Please choose “Forgot your password?” to set a password.`
export const unknown = t`Something went wrong. Please try again.`

// auth-errors
export const passwordRefused = t`This password was not accepted. Please choose another one.`
export const passwordCommon = t`This password is on lists of common passwords. Please choose another one.`
export const passwordTooShort = (minCharacters: number) =>
  plural(minCharacters, {
    one: 'Password must be at least # character long.',
    other: 'Password must be at least # characters long.',
  })
export const passwordHasSpaces = t`A password cannot begin or end with a space. Remove it and try again.`
