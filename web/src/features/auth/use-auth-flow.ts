import { t } from '@lingui/core/macro'
import { showToast } from '../../components/ui/toast.ts'
import type { AuthLink } from './auth-link.ts'
import { signInStep, toFormErrors, useAuthSteps } from './use-auth-steps.ts'
import { useConfirmation } from './use-confirmation.ts'
import { useConfirmationMail } from './use-confirmation-mail.ts'
import { useNewPassword } from './use-new-password.ts'
import { usePasswordReset } from './use-password-reset.ts'
import { usePasswordSignIn } from './use-password-sign-in.ts'
import { useProviderSignIn } from './use-provider-sign-in.ts'
import { useSignUp } from './use-sign-up.ts'
import { useTotpFlow } from './use-totp-flow.ts'

/** The step and the form of the sign-in page, and its actions. */
export function useAuthFlow(link: AuthLink | undefined) {
  const steps = useAuthSteps(link)
  const { step, goTo, form, email, errors, setErrors, clearPassword, completeSignIn } = steps
  const reset = usePasswordReset(steps)
  const signIn = usePasswordSignIn(steps, reset.requestReset)
  const { hasConfirmed, ...confirmation } = useConfirmation(steps, signIn)
  const setNewPassword = useNewPassword(steps)
  const { confirmAgain, ...confirmationMail } = useConfirmationMail(steps)
  const signUp = useSignUp(steps, { link, signIn, confirmAgain })
  const providerSignIn = useProviderSignIn(steps, link)
  const totp = useTotpFlow({
    email,
    onSignedIn: () => completeSignIn(t`Welcome back!`),
    onChallengeOver: (problem) => goTo(signInStep, toFormErrors(problem)),
  })
  return {
    step,
    goTo,
    form,
    email,
    errors,
    setErrors,
    // somebody who has just confirmed their address has not been here before
    signIn: () => signIn(link?.kind === 'confirmed' || hasConfirmed ? t`Welcome!` : t`Welcome back!`),
    signUp,
    ...confirmation,
    ...confirmationMail,
    ...reset,
    setNewPassword,
    ...providerSignIn,
    totp,
    cancelTotp: () => {
      totp.stopWaiting()
      clearPassword()
      goTo(signInStep)
      showToast('info', t`Sign in cancelled`)
    },
  }
}
