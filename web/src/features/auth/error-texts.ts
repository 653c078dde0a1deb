import { t } from '@lingui/core/macro'

export const passwordsOff = t`Sign-in with a password is switched off here. Please sign in another way.`
export const unreachable = t`The sign-in service could not be reached. Check your connection and try again.`
export const passwordCommon = t`This password is on lists of common passwords. Please choose another one.`
export const passwordHasSpaces = t`A password cannot begin or end with a space. Remove it and try again.`
