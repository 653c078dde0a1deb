import { t } from '@lingui/core/macro'
import { createUnknownStepError, toAuthError, type StepResult } from './auth-errors.ts'
import { describeWeakPassword } from './check-password.ts'
import { loadAmplifyAuth } from '../../lib/load-amplify-auth.ts'
import { signInStep, toFormErrors, type AuthSteps } from './use-auth-steps.ts'

/** Answers the challenge of a sign-in with a temporary password: sets the user's own, and goes on. */
export function useNewPassword({ goTo, completeSignIn }: AuthSteps) {
  return async (password: string): StepResult => {
    const weakness = await describeWeakPassword(password)
    if (weakness !== undefined) return { kind: 'other', field: 'password', userMessage: weakness }
    try {
      const amplifyAuth = await loadAmplifyAuth()
      const { nextStep } = await amplifyAuth.confirmSignIn({ challengeResponse: password })
      if (nextStep.signInStep === 'DONE') await completeSignIn(t`Welcome back!`)
      else if (nextStep.signInStep === 'CONFIRM_SIGN_IN_WITH_TOTP_CODE') goTo({ name: 'totp' })
      else goTo(signInStep, toFormErrors(createUnknownStepError(nextStep.signInStep)))
    } catch (error) {
      const problem = toAuthError(error, 'new-password')
      if (problem.kind !== 'challenge-over') return problem
      goTo(signInStep, toFormErrors(problem))
    }
    return undefined
  }
}
