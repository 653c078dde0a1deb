import { useId, useState } from 'react'
import { showToast } from '../../components/ui/toast.ts'
import { useInput } from '../../lib/use-input.ts'
import { useAuth } from './auth-context.ts'
import type { AuthError } from './auth-errors.ts'
import type { AuthLink } from './auth-link.ts'
import type { FormErrors, FormValues } from './form-values.ts'

/** The current step of the sign-in page. In memory only: a reload starts again. */
export type Step =
  | { name: 'credentials'; mode: 'sign-in' | 'create' }
  | { name: 'working' }
  /** `isAccountUnknown`: the service has not confirmed that there is an account with this address */
  | { name: 'confirm'; wasMailJustSent: boolean; code: string; problem?: AuthError; isAccountUnknown?: true }
  /** `wasSignedUpElsewhere`: the account was confirmed in this browser, but created in another one */
  | { name: 'reset'; code?: string; wasSignedUpElsewhere?: true }
  | { name: 'totp' }
  /** the password was a temporary one, of somebody who has created the account */
  | { name: 'new-password' }

/** The step that asks for the e-mail address and the password. */
export const signInStep: Step = { name: 'credentials', mode: 'sign-in' }

/** The step of the sign-in page, what is entered there and what is wrong with it. Every flow of the page works on them. */
export type AuthSteps = ReturnType<typeof useAuthSteps>

/** Owns the step and the form of the sign-in page. @param link decides where it begins */
export function useAuthSteps(link: AuthLink | undefined) {
  const auth = useAuth()
  const [step, setStep] = useState<Step>(() => getInitialStep(link))
  const form = useInput<FormValues>(useId(), {
    stored: { fullName: '', email: link && 'email' in link ? link.email : '', password: '' },
    onLeave: 'forget',
  })
  const [errors, setErrors] = useState<FormErrors>(() =>
    link?.kind === 'refused' || link?.kind === 'failed' ? { form: link.userMessage, cause: link.cause } : {},
  )
  const goTo = (next: Step, nextErrors: FormErrors = {}) => {
    setStep(next)
    setErrors(nextErrors)
  }
  return {
    step,
    goTo,
    form,
    email: form.value.email.trim(),
    password: form.value.password,
    clearPassword: () => form.at('password').change(''),
    errors,
    setErrors,
    /** Opens the app for the user who has signed in. @param greeting of the toast; undefined for none */
    completeSignIn: async (greeting: string | undefined): Promise<void> => {
      if (greeting !== undefined) showToast('success', greeting)
      await auth.refresh()
      // a signed-in user stays here while a link is followed: this step ends that
      goTo(signInStep)
    },
  }
}

function getInitialStep(link: AuthLink | undefined): Step {
  if (link?.kind === 'confirm' || link?.kind === 'hosted') return { name: 'working' }
  if (link?.kind === 'invited') return { name: 'credentials', mode: 'create' }
  if (link?.kind === 'recovery' && link.email !== '' && link.code !== '')
    return { name: 'reset', code: link.code }
  return signInStep
}

/** The error at its field of the sign-in form, or above the form. */
export function toFormErrors({ field, userMessage, cause }: AuthError): FormErrors {
  return field === 'email' || field === 'password' ? { [field]: userMessage } : { form: userMessage, cause }
}
