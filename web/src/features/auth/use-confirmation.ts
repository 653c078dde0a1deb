import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useState } from 'react'
import { replacePasswordKey } from '#shared/user-pool.ts'
import { showToast } from '../../components/ui/toast.ts'
import { sendResetMail } from './account-mails.ts'
import { toAuthError, type StepResult } from './auth-errors.ts'
import { loadAmplifyAuth } from '../../lib/load-amplify-auth.ts'
import { isLocalSignUp, onLocalSignUpConfirmed, removeLocalSignUp } from './local-sign-up.ts'
import { signInStep, toFormErrors, type AuthSteps } from './use-auth-steps.ts'

/** Confirms the e-mail address of a new account, by the code in an e-mail or by its link. */
export function useConfirmation(
  { step, email, password, goTo, clearPassword }: AuthSteps,
  signIn: (greeting: string | undefined) => Promise<void>,
) {
  const [hasConfirmed, setHasConfirmed] = useState(false)
  const confirm = async (code: string): StepResult => {
    const isOwn = isLocalSignUp(email)
    try {
      const amplifyAuth = await loadAmplifyAuth()
      // its password may be that of somebody else who signed up with the address: the service replaces it
      const options = isOwn ? undefined : { clientMetadata: { [replacePasswordKey]: 'true' } }
      await amplifyAuth.confirmSignUp({
        username: email,
        confirmationCode: code,
        ...(options && { options }),
      })
    } catch (error) {
      const problem = toAuthError(error, 'confirm')
      if (problem.kind !== 'already-confirmed') return problem
      if (password === '' || !isOwn) goTo(signInStep, { info: problem.userMessage })
      else await signIn(t`Welcome back!`)
      return undefined
    }
    if (!isOwn) {
      await choosePassword()
      return undefined
    }
    setHasConfirmed(true)
    removeLocalSignUp()
    showToast('success', t`Email Confirmed`, { description: t`Your account is ready.` })
    if (password === '') goTo(signInStep)
    else await signIn(undefined)
    return undefined
  }

  /** The account was signed up elsewhere: the owner of the address chooses a new password. */
  const choosePassword = async (): Promise<void> => {
    showToast('success', t`Email Confirmed`, { description: t`Choose a password to finish.` })
    clearPassword()
    const problem = await sendResetMail(email)
    if (problem)
      goTo(signInStep, {
        ...toFormErrors(problem),
        info: t`Your e-mail address is confirmed. Choose “Forgot your password?” to set a password, then sign in with it.`,
      })
    else goTo({ name: 'reset', wasSignedUpElsewhere: true })
  }

  const confirmByLink = async (code: string): Promise<void> => {
    const problem = await confirm(code)
    if (!problem) return
    const isExpired = problem.kind === 'code-refused'
    const userMessage = isExpired
      ? t`This link was already used or has expired. Send a new e-mail, or sign in if you have confirmed before.`
      : problem.userMessage
    goTo({
      name: 'confirm',
      wasMailJustSent: false,
      code: isExpired ? '' : code,
      problem: { ...problem, field: 'form', userMessage },
    })
  }

  // the link in the e-mail opens another tab, and this one has the password: it signs both in
  const onConfirmed = useEffectEvent(() => void signIn(undefined))
  const isWaitingForLink = step.name === 'confirm' && password !== ''
  useEffect(
    () => (isWaitingForLink ? onLocalSignUpConfirmed(email, onConfirmed) : undefined),
    [isWaitingForLink, email],
  )

  return { confirm, confirmByLink, hasConfirmed }
}
