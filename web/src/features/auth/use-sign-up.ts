import { t } from '@lingui/core/macro'
import { invitationSecretKey } from '#shared/user-pool.ts'
import { showToast } from '../../components/ui/toast.ts'
import { hasErrorName } from '../../lib/api-errors.ts'
import { mailMetadata } from '../../lib/mail-metadata.ts'
import { toAuthError, type StepResult } from './auth-errors.ts'
import type { AuthLink } from './auth-link.ts'
import { describeWeakPassword } from './check-password.ts'
import { loadAmplifyAuth } from '../../lib/load-amplify-auth.ts'
import { saveLocalSignUp } from './local-sign-up.ts'
import { signInStep, toFormErrors, type AuthSteps } from './use-auth-steps.ts'
import { useSubmit } from './use-submit.ts'

interface SignUpOptions {
  link: AuthLink | undefined
  signIn: (greeting: string | undefined) => Promise<void>
  /** sends the confirmation e-mail once more */
  confirmAgain: () => StepResult
}

/** Signing up. @returns creates an account; its address is then confirmed by e-mail, unless the service asks for no confirmation */
export function useSignUp(
  { form, email, goTo, setErrors }: AuthSteps,
  { link, signIn, confirmAgain }: SignUpOptions,
) {
  /** confirms the address to which the invitation was mailed, and no other */
  const secretMetadata = link?.kind === 'invited' && link.secret && { [invitationSecretKey]: link.secret }

  /**
   * Lets the owner of an address that somebody else signed up with confirm it: sends the e-mail again. With its code they then choose a new
   * password (`useConfirmation`).
   */
  const confirmExisting = useSubmit(async () => {
    const problem = await confirmAgain()
    if (problem) setErrors(toFormErrors(problem))
  })

  return async (): Promise<void> => {
    const { fullName, password } = form.value
    try {
      const amplifyAuth = await loadAmplifyAuth()
      const weakness = await describeWeakPassword(password)
      if (weakness !== undefined) return setErrors({ password: weakness })
      const { nextStep } = await amplifyAuth.signUp({
        username: email,
        password,
        options: {
          userAttributes: { email, name: fullName.trim() },
          clientMetadata: { ...mailMetadata, ...secretMetadata },
        },
      })
      if (nextStep.signUpStep === 'DONE') return await signIn(undefined)
      saveLocalSignUp(email)
      goTo({ name: 'confirm', wasMailJustSent: true, code: '' })
      showToast('success', t`Account created! Please check your email to confirm your account.`)
    } catch (error) {
      const problem = toAuthError(error, 'sign-up')
      if (problem.kind !== 'account-exists') return setErrors(toFormErrors(problem))
      // somebody else may have signed up with this address; its owner can only confirm it by e-mail
      const resendAction = {
        label: t`Never confirmed it? Send the e-mail again`,
        onClick: confirmExisting.submit,
      }
      // an account of an identity provider has nothing to confirm
      const hasPassword = hasErrorName(error, 'UsernameExistsException')
      goTo(signInStep, { ...toFormErrors(problem), ...(hasPassword && { action: resendAction }) })
    }
  }
}
