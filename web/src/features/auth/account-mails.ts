import { mailLanguageKey } from '#shared/user-pool.ts'
import { language } from '../../lib/locale.ts'
import { toAuthError, type StepResult } from './auth-errors.ts'
import { loadAmplifyAuth } from './load-amplify-auth.ts'

/** Has the service write its mails in the language of the page. */
export const mailMetadata = { [mailLanguageKey]: language }

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

/** Sends the reset e-mail. The result is the same whether or not there is an account. */
export async function sendResetMail(email: string): StepResult {
  try {
    const amplifyAuth = await loadAmplifyAuth()
    await amplifyAuth.resetPassword({ username: email, options: { clientMetadata: mailMetadata } })
  } catch (error) {
    const hidesAccount = /^(UserNotFound|NotAuthorized|InvalidParameter)/.test(
      error instanceof Error ? error.name : '',
    )
    if (!hidesAccount) return toAuthError(error, 'reset')
  }
  return undefined
}
