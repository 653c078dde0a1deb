import { t } from '@lingui/core/macro'
import { createUnknownStepError, toAuthError } from './auth-errors.ts'
import { loadAmplifyAuth } from '../../lib/load-amplify-auth.ts'
import { saveLocalSignUp } from './local-sign-up.ts'
import { signInStep, toFormErrors, type AuthSteps } from './use-auth-steps.ts'

/** Signing in with a password. @param requestReset called when the service demands a new password */
export function usePasswordSignIn(
  { email, password, goTo, completeSignIn }: AuthSteps,
  requestReset: () => Promise<void>,
) {
  /**
   * Signs in and continues with the step that the service asks for; errors are shown on the sign-in form.
   * @param greeting of the toast; undefined for none
   */
  return async (greeting: string | undefined): Promise<void> => {
    try {
      const amplifyAuth = await loadAmplifyAuth()
      const { nextStep } = await amplifyAuth.signIn({ username: email, password })
      if (nextStep.signInStep === 'DONE') return await completeSignIn(greeting)
      if (nextStep.signInStep === 'CONFIRM_SIGN_IN_WITH_TOTP_CODE') return goTo({ name: 'totp' })
      if (nextStep.signInStep === 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED')
        return goTo({ name: 'new-password' })
      if (nextStep.signInStep === 'RESET_PASSWORD') return await requestReset()
      if (nextStep.signInStep !== 'CONFIRM_SIGN_UP')
        return goTo(signInStep, toFormErrors(createUnknownStepError(nextStep.signInStep)))
      // the service reveals this only if the password is correct
      saveLocalSignUp(email)
      goTo(signInStep, {
        form: t`Please check your email and click the confirmation link before signing in.`,
        action: {
          label: t`Enter the code, or send the e-mail again`,
          onClick: () => goTo({ name: 'confirm', wasMailJustSent: false, code: '' }),
        },
      })
    } catch (error) {
      goTo(signInStep, toFormErrors(toAuthError(error, 'sign-in')))
    }
  }
}
