import { sendConfirmationMail } from './account-mails.ts'
import type { StepResult } from './auth-errors.ts'
import { signInStep, type AuthSteps } from './use-auth-steps.ts'

/** Sends the e-mail that confirms the address of a new account once more. For a confirmed address the sign-in form is shown. */
export function useConfirmationMail({ email, goTo, clearPassword }: AuthSteps) {
  const resend = async (onSent?: () => void): StepResult => {
    const problem = await sendConfirmationMail(email)
    if (!problem) onSent?.()
    else if (problem.kind === 'already-confirmed') goTo(signInStep, { info: problem.userMessage })
    else return problem
    return undefined
  }

  return {
    resendConfirmation: () => resend(),
    /** Sends the e-mail again, and asks for its code. */
    confirmAgain: () => resend(() => goTo({ name: 'confirm', wasMailJustSent: true, code: '' })),
    /** Before a reset, which an unconfirmed address gets no e-mail for: the pool answers as if it did. */
    confirmForgotten: () => {
      clearPassword()
      return resend(() => goTo({ name: 'confirm', wasMailJustSent: true, code: '', isAccountUnknown: true }))
    },
  }
}
