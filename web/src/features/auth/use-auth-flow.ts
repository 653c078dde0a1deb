import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { dismissToast, showToast } from '../../components/ui/toast.ts'
import { invitationSecretKey, mailLanguageKey, replacePasswordKey } from '#shared/user-pool.ts'
import { hasErrorName } from '../../lib/api-errors.ts'
import { google } from '../../lib/identity-providers.ts'
import { configureAuth, clearTokens } from '../../lib/auth-tokens.ts'
import { useAuth } from './auth-context.ts'
import { toAuthError, type AuthError, type StepResult } from './auth-errors.ts'
import type { AuthLink } from './auth-link.ts'
import type { FormErrors, FormValues } from './form-values.ts'
import {
  completeHostedSignIn,
  createHostedSignInUrl,
  findPendingSignIn,
  HostedSignInError,
  type HostedCallback,
  type HostedProvider,
  type HostedSignInOptions,
} from './hosted-sign-in.ts'
import { hasHostedUi } from './hosted-ui.ts'
import { describeWeakPassword } from './check-password.ts'
import { language } from '../../lib/locale.ts'
import { loadAmplifyAuth } from './load-amplify-auth.ts'
import { isLocalSignUp, onLocalSignUpConfirmed, removeLocalSignUp, saveLocalSignUp } from './local-sign-up.ts'
import { useTotpFlow } from './use-totp-flow.ts'
import { useInput } from '../../lib/use-input.ts'

/** The current step of the sign-in page. In memory only: a reload starts again. */
export type Step =
  | { name: 'credentials'; mode: 'sign-in' | 'create' }
  | { name: 'working' }
  /** `isAccountUnknown`: nobody has said that there is an account with this address */
  | { name: 'confirm'; mailJustSent: boolean; code: string; problem?: string; isAccountUnknown?: true }
  /** `wasSignedUpElsewhere`: the account was confirmed in this browser, but created in another one */
  | { name: 'reset'; code?: string; wasSignedUpElsewhere?: true }
  | { name: 'totp' }

/** The toast shown for a recovery link. */
export const recoveryToastId = 'recovery-link'
/** Mails are written in the language of the page. */
const mailMetadata = { [mailLanguageKey]: language }
const signInStep: Step = { name: 'credentials', mode: 'sign-in' }

/** The actions of the sign-in page: each ends on another step, in the app, or with an error. */
export function useAuthFlow(link: AuthLink | undefined) {
  const auth = useAuth()
  const linkWithEmail = link && 'email' in link ? link : undefined
  /** confirms the address to which the invitation was mailed, and no other */
  const secretMetadata = link?.kind === 'invited' && link.secret && { [invitationSecretKey]: link.secret }
  const [step, setStep] = useState<Step>(() => getInitialStep(link))
  const form = useInput<FormValues>(useId(), {
    stored: { fullName: '', email: linkWithEmail?.email ?? '', password: '' },
    onLeave: 'forget',
  })
  const values = form.value
  const [errors, setErrors] = useState<FormErrors>(() =>
    link?.kind === 'refused' || link?.kind === 'failed' ? { form: link.userMessage } : {},
  )
  const email = values.email.trim()
  /** the page to open after signing in; also set after a failure, so that a user who had to sign in again returns to their page */
  const [returnPath, setReturnPath] = useState(() =>
    link && /^(hosted|failed|refused)$/.test(link.kind) ? findPendingSignIn()?.returnPath : undefined,
  )

  const goTo = (next: Step, nextErrors: FormErrors = {}) => {
    setStep(next)
    setErrors(nextErrors)
  }

  const completeSignIn = async (greeting: string | undefined) => {
    if (greeting !== undefined) showToast('success', greeting)
    await auth.refresh()
    // the page has navigated to the app by now; only a recovery link keeps it here
    goTo(signInStep)
  }

  /** Signs in and continues with the step that the service asks for; errors are shown on the sign-in form. */
  const signIn = async (password: string, greeting: string | undefined): Promise<void> => {
    try {
      const amplifyAuth = await loadAmplifyAuth()
      const { nextStep } = await amplifyAuth.signIn({ username: email, password })
      if (nextStep.signInStep === 'DONE') return await completeSignIn(greeting)
      if (nextStep.signInStep === 'CONFIRM_SIGN_IN_WITH_TOTP_CODE') return goTo({ name: 'totp' })
      if (nextStep.signInStep === 'RESET_PASSWORD') return await requestReset()
      if (nextStep.signInStep !== 'CONFIRM_SIGN_UP')
        return goTo(signInStep, { form: t`Something went wrong. Please try again.` })
      // the service reveals this only if the password is correct
      saveLocalSignUp(email)
      goTo(signInStep, {
        form: t`Please check your email and click the confirmation link before signing in.`,
        action: {
          label: t`Enter the code, or send the e-mail again`,
          onClick: () => goTo({ name: 'confirm', mailJustSent: false, code: '' }),
        },
      })
    } catch (error) {
      const problem = toAuthError(error, 'sign-in')
      if (problem.kind === 'already-signed-in') await auth.refresh()
      else goTo(signInStep, toFormErrors(problem))
    }
  }

  const signUp = async (): Promise<void> => {
    try {
      const amplifyAuth = await loadAmplifyAuth()
      const { fullName, password } = values
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
      if (nextStep.signUpStep === 'DONE') return await signIn(password, undefined)
      saveLocalSignUp(email)
      goTo({ name: 'confirm', mailJustSent: true, code: '' })
      showToast('success', t`Account created! Please check your email to confirm your account.`)
    } catch (error) {
      const problem = toAuthError(error, 'sign-up')
      if (problem.kind !== 'account-exists') return setErrors(toFormErrors(problem))
      // somebody else may have signed up with this address; its owner can only confirm it by e-mail
      const resendAction = {
        label: t`Never confirmed it? Send the e-mail again`,
        onClick: () => void confirmExisting(),
      }
      const hasPassword = hasErrorName(error, 'UsernameExistsException')
      goTo(signInStep, { form: problem.userMessage, ...(hasPassword && { action: resendAction }) })
    }
  }

  /**
   * Lets the owner of an address that somebody else signed up with confirm it: sends the e-mail again, then
   * asks for a new password.
   */
  const confirmExisting = async (): Promise<void> => {
    const problem = await resendConfirmation({ name: 'confirm', mailJustSent: true, code: '' })
    if (problem) setErrors(toFormErrors(problem))
  }

  const confirm = async (code: string): StepResult => {
    const isOwn = isLocalSignUp(email)
    try {
      const amplifyAuth = await loadAmplifyAuth()
      const options = isOwn ? undefined : { clientMetadata: { [replacePasswordKey]: 'true' } }
      await amplifyAuth.confirmSignUp({
        username: email,
        confirmationCode: code,
        ...(options && { options }),
      })
    } catch (error) {
      const problem = toAuthError(error, 'confirm')
      if (problem.kind !== 'already-confirmed') return problem
      if (values.password === '' || !isOwn) goTo(signInStep, { info: problem.userMessage })
      else await signIn(values.password, t`Welcome back!`)
      return undefined
    }
    if (!isOwn) return choosePassword()
    removeLocalSignUp()
    showToast('success', t`Email Confirmed`, { description: t`Your account is ready.` })
    if (values.password === '') goTo(signInStep)
    else await signIn(values.password, undefined)
    return undefined
  }

  /** The account was signed up elsewhere: the owner of the address chooses a new password. */
  const choosePassword = async (): StepResult => {
    showToast('success', t`Email Confirmed`, { description: t`Choose a password to finish.` })
    form.at('password').change('')
    const problem = await sendResetMail()
    if (problem)
      goTo(signInStep, {
        form: problem.userMessage,
        info: t`Your e-mail address is confirmed. Choose “Forgot your password?” to set a password, then sign in with it.`,
      })
    else goTo({ name: 'reset', wasSignedUpElsewhere: true })
    return undefined
  }

  /** Confirms by the link in the e-mail. */
  const confirmByLink = async (code: string): Promise<void> => {
    const problem = await confirm(code)
    if (!problem) return
    const isExpired = problem.kind === 'code-refused'
    const message = isExpired
      ? t`This link was already used or has expired. Send a new e-mail, or sign in if you have confirmed before.`
      : problem.userMessage
    goTo({ name: 'confirm', mailJustSent: false, code: isExpired ? '' : code, problem: message })
  }

  /** @param next the step after the e-mail is sent */
  const resendConfirmation = async (next?: Step): StepResult => {
    try {
      const amplifyAuth = await loadAmplifyAuth()
      await amplifyAuth.resendSignUpCode({ username: email, options: { clientMetadata: mailMetadata } })
      if (next) goTo(next)
    } catch (error) {
      const problem = toAuthError(error, 'confirm')
      if (problem.kind !== 'already-confirmed') return problem
      goTo(signInStep, { info: problem.userMessage })
    }
    return undefined
  }

  /** Sends the reset e-mail. The result is the same whether or not there is an account. */
  const sendResetMail = async (): StepResult => {
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

  /** Before a reset, which an unconfirmed address gets no e-mail for: the pool answers as if it did. */
  const confirmForgotten = (): StepResult => {
    form.at('password').change('')
    return resendConfirmation({ name: 'confirm', mailJustSent: true, code: '', isAccountUnknown: true })
  }

  const requestReset = async (): Promise<void> => {
    if (email === '') return setErrors({ email: t`Please enter your e-mail address first` })
    const problem = await sendResetMail()
    if (problem) return setErrors(toFormErrors(problem))
    goTo({ name: 'reset' })
    showToast('success', t`Password reset email sent`, {
      description: t`Check your email for password reset instructions.`,
    })
  }

  // the link in the e-mail opens another tab, and this one has the password: it signs both in
  const onConfirmed = useEffectEvent(() => void signIn(values.password, undefined))
  const isWaitingForLink = step.name === 'confirm' && values.password !== ''
  useEffect(
    () => (isWaitingForLink ? onLocalSignUpConfirmed(email, onConfirmed) : undefined),
    [isWaitingForLink, email],
  )

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
    form.at('password').change('')
    goTo(signInStep, { info: t`Your password is changed. Sign in with the new one.` })
    return undefined
  }

  const totp = useTotpFlow({
    email,
    onSignedIn: () => completeSignIn(t`Welcome back!`),
    onChallengeOver: (userMessage) => goTo(signInStep, { form: userMessage }),
  })

  /** Goes to an identity provider; returns as a new page load. */
  const signInAtProvider = async (provider: HostedProvider, options: HostedSignInOptions): Promise<void> => {
    try {
      const config = await configureAuth()
      if (hasHostedUi(config)) location.assign(await createHostedSignInUrl(config, provider, options))
      else if (provider.name === google.name)
        setErrors({ form: t`Google authentication is not configured. Please contact support.` })
      else setErrors({ form: t`Authentication configuration error. Please contact support.` })
    } catch (error) {
      setErrors(toFormErrors(toAuthError(error, 'sign-in')))
    }
  }

  const completeSignInAtProvider = async (callback: HostedCallback): Promise<void> => {
    try {
      const config = await configureAuth()
      if (!hasHostedUi(config))
        throw new HostedSignInError(t`Authentication configuration error. Please contact support.`)
      const { returnPath: path, isNewAccount } = await completeHostedSignIn(config, callback)
      setReturnPath(path)
      await completeSignIn(isNewAccount ? t`Welcome!` : t`Welcome back!`)
    } catch (error) {
      const form =
        error instanceof HostedSignInError ? error.userMessage : toAuthError(error, 'sign-in').userMessage
      // a user who is still signed in sees the app instead of the form
      if (auth.state.status === 'signed-in') showToast('error', form)
      goTo(signInStep, { form })
    }
  }

  const cancelTotp = () => {
    totp.stopWaiting()
    form.at('password').change('')
    goTo(signInStep)
    showToast('info', t`Sign in cancelled`)
  }

  return {
    step,
    goTo,
    values: form,
    errors,
    setErrors,
    signIn: () => signIn(values.password, t`Welcome back!`),
    signUp,
    confirm,
    confirmByLink,
    resendConfirmation: () => resendConfirmation(),
    requestReset,
    sendResetMail,
    confirmForgotten,
    resetPassword,
    totp,
    signInAtProvider,
    completeSignInAtProvider,
    returnPath,
    cancelTotp,
  }
}

function getInitialStep(link: AuthLink | undefined): Step {
  if (link?.kind === 'confirm' || link?.kind === 'hosted') return { name: 'working' }
  if (link?.kind === 'invited') return { name: 'credentials', mode: 'create' }
  if (link?.kind === 'recovery' && link.email !== '' && link.code !== '')
    return { name: 'reset', code: link.code }
  return signInStep
}

function toFormErrors({ field, userMessage }: AuthError): FormErrors {
  return field === 'email' || field === 'password' ? { [field]: userMessage } : { form: userMessage }
}
