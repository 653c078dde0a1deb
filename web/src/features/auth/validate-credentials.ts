import { t } from '@lingui/core/macro'
import * as errorTexts from './error-texts.ts'
import type { FormErrors, FormValues } from './form-values.ts'

const emailPattern = /^[^\s@]+@[^\s@]+$/

/** Whether a text can be an e-mail address: one @ between other characters, and no white space. */
export const isEmailAddress = (text: string): boolean => emailPattern.test(text.trim())

/** @returns what is wrong with a new password, as far as it is known before it is sent */
export function validateNewPassword(password: string): string | undefined {
  if (password === '') return t`Please fill in all required fields`
  // Cognito refuses such passwords
  return password.trim() === password ? undefined : errorTexts.passwordHasSpaces
}

/**
 * Validates the fields before they are sent. Of the password policy it knows only that no space is allowed at the ends.
 * @returns an empty object when there are no errors
 */
export function validateCredentials(
  mode: 'sign-in' | 'create',
  { fullName, email, password }: FormValues,
): FormErrors {
  const errors: FormErrors = {}
  if (mode === 'create' && fullName.trim() === '') errors.fullName = t`Please enter your full name`
  if (email.trim() === '') {
    errors.email = t`Please fill in all required fields`
    if (password === '') errors.isPasswordMissing = true
  } else if (password === '') errors.password = t`Please fill in all required fields`
  else if (mode === 'create' && password.trim() !== password) errors.password = errorTexts.passwordHasSpaces
  else if (!isEmailAddress(email)) errors.email = t`Please enter a valid e-mail address.`
  return errors
}
