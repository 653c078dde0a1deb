import { t } from '@lingui/core/macro'
import { dismissToast, showToast } from '../../components/ui/toast.ts'
import { clearTokens } from '../../lib/store-tokens.ts'
import { sendResetMail } from './account-mails.ts'
import { useAuth } from './auth-context.ts'
import { toAuthError, type StepResult } from './auth-errors.ts'
import { describeWeakPassword } from './check-password.ts'
import { loadAmplifyAuth } from '../../lib/load-amplify-auth.ts'
import { signInStep, toFormErrors, type AuthSteps } from './use-auth-steps.ts'
import { isEmailAddress } from './validate-credentials.ts'

/** The toast shown for a recovery link. */
export const recoveryToastId = 'recovery-link'

/** Sends the reset e-mail, and sets a new password with the code in it. */
export function usePasswordReset({ email, goTo, setErrors, clearPassword }: AuthSteps) {
  const auth = useAuth()

  const requestReset = async (): Promise<void> => {
    if (email === '') return setErrors({ email: t`Please enter your e-mail address first` })
    // `sendResetMail` does not report that the user pool refuses it
    if (!isEmailAddress(email)) return setErrors({ email: t`Please enter a valid e-mail address.` })
    const problem = await sendResetMail(email)
    if (problem) return setErrors(toFormErrors(problem))
    goTo({ name: 'reset' })
    showToast('success', t`Password reset email sent`, {
      description: t`Check your email for password reset instructions.`,
    })
  }

  const resetPassword = async (code: string, newPassword: string): StepResult => {
    const weakness = await describeWeakPassword(newPassword)
    if (weakness !== undefined) return { kind: 'other', field: 'password', userMessage: weakness }
    // from here on the form shows the progress
    dismissToast(recoveryToastId)
    try {
      const amplifyAuth = await loadAmplifyAuth()
      await amplifyAuth.confirmResetPassword({ username: email, confirmationCode: code, newPassword })
    } catch (error) {
      return toAuthError(error, 'reset')
    }
    if (auth.state.status === 'signed-in') {
      // the link may belong to another account
      await clearTokens()
      await auth.refresh()
    }
    // a reset does not sign in: the next sign-in asks for the second factor
    clearPassword()
    goTo(signInStep, { info: t`Your password is changed. Sign in with the new one.` })
    return undefined
  }

  return { requestReset, resetPassword, resendResetMail: () => sendResetMail(email) }
}
