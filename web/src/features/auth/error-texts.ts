import { t } from '@lingui/core/macro'

/** For every way to sign in or up with a password, where the operator has switched passwords off. */
export const passwordsOff = t`Sign-in with a password is switched off here. Please sign in another way.`
/** For a configuration that is missing or invalid, and for links to the page that are not known. */
export const misconfigured = t`Authentication configuration error. Please contact support.`
/** For an error that nothing is known about. */
export const unknownError = t`Something went wrong. Please try again.`
/** For a request to the sign-in service without a response. */
export const unreachable = t`The sign-in service could not be reached. Check your connection and try again.`
/** For a new password that is on a list of common ones. */
export const passwordCommon = t`This password is on lists of common passwords. Please choose another one.`
/** For a new password with white space at its beginning or end, which the user pool refuses. */
export const passwordHasSpaces = t`A password cannot begin or end with a space. Remove it and try again.`
