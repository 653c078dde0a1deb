import { mailMetadata } from '../../lib/mail-metadata.ts'
import { toAuthError, type StepResult } from './auth-errors.ts'
import { loadAmplifyAuth } from '../../lib/load-amplify-auth.ts'

/** Sends the e-mail that confirms an address once more. */
export async function sendConfirmationMail(email: string): StepResult {
  try {
    const amplifyAuth = await loadAmplifyAuth()
    await amplifyAuth.resendSignUpCode({ username: email, options: { clientMetadata: mailMetadata } })
  } catch (error) {
    return toAuthError(error, 'confirm')
  }
  return undefined
}

/** Sends the reset e-mail. Errors that tell whether there is an account count as sent. */
export async function sendResetMail(email: string): StepResult {
  try {
    const amplifyAuth = await loadAmplifyAuth()
    await amplifyAuth.resetPassword({ username: email, options: { clientMetadata: mailMetadata } })
  } catch (error) {
    const isAboutAccount = /^(UserNotFound|NotAuthorized|InvalidParameter)/.test(
      error instanceof Error ? error.name : '',
    )
    if (!isAboutAccount) return toAuthError(error, 'reset')
  }
  return undefined
}
