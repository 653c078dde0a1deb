import { useRef, useState } from 'react'
import { dismissToast, showToast } from '../../components/ui/toast.ts'
import { replacePasswordKey } from '#shared/user-pool.ts'
import { hasErrorName } from '../../lib/api-errors.ts'
import { configureAuth, clearTokens } from '../../lib/auth-tokens.ts'
import { useAuth } from './auth-context.ts'
import { toAuthError, authSentences, type AuthError } from './auth-errors.ts'
import type { AuthLink } from './auth-link.ts'
import { redeemBackupCode } from './backup-code.ts'
import type { StepResult } from './confirm-step.tsx'
import type { FormValues, FormErrors } from './credentials-form.tsx'
import {
  completeHostedSignIn,
  createHostedSignInUrl,
  HostedSignInError,
  type HostedCallback,
} from './google-sign-in.ts'
import { hasHostedUi } from './hosted-ui.ts'
import { loadAmplifyAuth } from './load-amplify-auth.ts'
import { removeLocalSignUp, isLocalSignUp, saveLocalSignUp } from './local-sign-up.ts'

/** Where one is on the sign-in page. In memory only: a reload begins again (DEC-021). */
export type Step =
  | { name: 'credentials'; mode: 'sign-in' | 'create' }
  | { name: 'working' }
  | { name: 'confirm'; mailJustSent: boolean; code: string; problem?: string }
  /** `first`: of an account that was confirmed here, but signed up elsewhere */
  | { name: 'reset'; code?: string; first?: true }
  | { name: 'totp' }

/** The toast that a recovery link is met with. */
export const recoveryToastId = 'recovery-link'
const linkExpired =
  'This link was already used or has expired. Send a new e-mail, or sign in if you have confirmed before.'
const passwordChanged = 'Your password is changed. Sign in with the new one.'
const notConfirmedYet = 'Never confirmed it? Send the e-mail again'
const choosePasswordLater =
  'Your e-mail address is confirmed. Choose “Forgot your password?” to set a password, then sign in with it.'
const signInStep: Step = { name: 'credentials', mode: 'sign-in' }

/** Everything one can do on the sign-in page: each action ends on another step, in the app, or with a problem to show. */
export function useAuthFlow(link: AuthLink | undefined) {
  const auth = useAuth()
  const linkWithEmail = link && 'email' in link ? link : undefined
  const [step, setStep] = useState<Step>(() => getInitialStep(link))
  const [values, setValues] = useState<FormValues>({ fullName: '', email: linkWithEmail?.email ?? '', password: '' })
  const [problems, setProblems] = useState<FormErrors>(() =>
    link?.kind === 'refused' || link?.kind === 'failed' ? { form: link.userMessage } : {},
  )
  const email = values.email.trim()
  const attempt = useRef({ code: '', id: '' })
  const [awaitingCode, setAwaitingCode] = useState(false)

  const goTo = (next: Step, nextProblems: FormErrors = {}) => {
    setStep(next)
    setProblems(nextProblems)
  }

  const completeSignIn = async (greeting: string | undefined) => {
    if (greeting !== undefined) showToast('success', greeting)
    await auth.refresh()
    // the page has left for the app by now; only a recovery link kept it here
    goTo(signInStep)
  }

  /** Signs in and goes on with whatever the service asks for next; a problem is shown on the sign-in form. */
  const signIn = async (password: string, greeting: string | undefined): Promise<void> => {
    try {
      const flows = await loadAmplifyAuth()
      const { nextStep } = await flows.signIn({ username: email, password })
      if (nextStep.signInStep === 'DONE') return await completeSignIn(greeting)
      if (nextStep.signInStep === 'CONFIRM_SIGN_IN_WITH_TOTP_CODE') return goTo({ name: 'totp' })
      if (nextStep.signInStep === 'RESET_PASSWORD') return await requestReset()
      if (nextStep.signInStep !== 'CONFIRM_SIGN_UP') return goTo(signInStep, { form: authSentences.unknown })
      // the service says this only to who knows the password
      saveLocalSignUp(email)
      goTo(signInStep, {
        form: authSentences.notConfirmed,
        action: {
          label: 'Enter the code, or send the e-mail again',
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
      const flows = await loadAmplifyAuth()
      const { fullName, password } = values
      const { nextStep } = await flows.signUp({
        username: email,
        password,
        options: { userAttributes: { email, name: fullName.trim() } },
      })
      if (nextStep.signUpStep === 'DONE') return await signIn(password, undefined)
      saveLocalSignUp(email)
      goTo({ name: 'confirm', mailJustSent: true, code: '' })
      showToast('success', 'Account created! Please check your email to confirm your account.')
    } catch (error) {
      const problem = toAuthError(error, 'sign-up')
      if (problem.kind !== 'account-exists') return setProblems(toFormErrors(problem))
      // perhaps somebody else signed the address up, and its owner has only the mail
      const sendAgain = { label: notConfirmedYet, onClick: () => void confirmExisting() }
      const hasPassword = hasErrorName(error, 'UsernameExistsException')
      goTo(signInStep, { form: problem.userMessage, ...(hasPassword && { action: sendAgain }) })
    }
  }

  /** The way on for the owner of an address that somebody has signed up before: the mail once more, then a password of their own. */
  const confirmExisting = async (): Promise<void> => {
    const problem = await resendConfirmation({ name: 'confirm', mailJustSent: true, code: '' })
    if (problem) setProblems(toFormErrors(problem))
  }

  const confirm = async (code: string): StepResult => {
    const isOwn = isLocalSignUp(email)
    try {
      const flows = await loadAmplifyAuth()
      const options = isOwn ? undefined : { clientMetadata: { [replacePasswordKey]: 'true' } }
      await flows.confirmSignUp({ username: email, confirmationCode: code, ...(options && { options }) })
    } catch (error) {
      const problem = toAuthError(error, 'confirm')
      if (problem.kind !== 'already-confirmed') return problem
      if (values.password === '' || !isOwn) goTo(signInStep, { info: problem.userMessage })
      else await signIn(values.password, 'Welcome back!')
      return undefined
    }
    if (!isOwn) return choosePassword()
    removeLocalSignUp()
    showToast('success', 'Email Confirmed', { description: 'Your account is ready.' })
    if (values.password === '') goTo(signInStep)
    else await signIn(values.password, undefined)
    return undefined
  }

  /** Nobody knows the password of an account that was signed up elsewhere: who got its mail chooses one. */
  const choosePassword = async (): StepResult => {
    showToast('success', 'Email Confirmed', { description: 'Choose a password to finish.' })
    setValues({ ...values, password: '' })
    const problem = await sendResetMail()
    if (problem) goTo(signInStep, { form: problem.userMessage, info: choosePasswordLater })
    else goTo({ name: 'reset', first: true })
    return undefined
  }

  /** The mailed confirmation link: one call, without any earlier session. */
  const confirmByLink = async (code: string): Promise<void> => {
    const problem = await confirm(code)
    if (!problem) return
    const over = problem.kind === 'code-refused'
    const sentence = over ? linkExpired : problem.userMessage
    goTo({ name: 'confirm', mailJustSent: false, code: over ? '' : code, problem: sentence })
  }

  /** @param next where to go on once the mail is sent */
  const resendConfirmation = async (next?: Step): StepResult => {
    try {
      const flows = await loadAmplifyAuth()
      await flows.resendSignUpCode({ username: email })
      if (next) goTo(next)
    } catch (error) {
      const problem = toAuthError(error, 'confirm')
      if (problem.kind !== 'already-confirmed') return problem
      goTo(signInStep, { info: problem.userMessage })
    }
    return undefined
  }

  /** Asks for the reset mail. The same answer whether or not there is an account (DEC-028). */
  const sendResetMail = async (): StepResult => {
    try {
      const flows = await loadAmplifyAuth()
      await flows.resetPassword({ username: email })
    } catch (error) {
      const hidesAccount = /^(UserNotFound|NotAuthorized|InvalidParameter)/.test(
        error instanceof Error ? error.name : '',
      )
      if (!hidesAccount) return toAuthError(error, 'reset')
    }
    return undefined
  }

  const requestReset = async (): Promise<void> => {
    if (email === '') return setProblems({ email: authSentences.emailFirst })
    const problem = await sendResetMail()
    if (problem) return setProblems(toFormErrors(problem))
    goTo({ name: 'reset' })
    showToast('success', 'Password reset email sent', {
      description: 'Check your email for password reset instructions.',
    })
  }

  const resetPassword = async (code: string, newPassword: string): StepResult => {
    // from here on the form says how it goes
    dismissToast(recoveryToastId)
    try {
      const flows = await loadAmplifyAuth()
      await flows.confirmResetPassword({ username: email, confirmationCode: code, newPassword })
    } catch (error) {
      return toAuthError(error, 'reset')
    }
    if (auth.state.status === 'signed-in') {
      // a link opened while signed in, perhaps as someone else
      await clearTokens()
      await auth.refresh()
    }
    // no session comes of a link (DEC-022): the next sign-in asks for everything it always asks for
    setValues({ ...values, password: '' })
    goTo(signInStep, { info: passwordChanged })
    return undefined
  }

  const verifyTotp = async (code: string): StepResult => {
    try {
      const flows = await loadAmplifyAuth()
      const { nextStep } = await flows.confirmSignIn({ challengeResponse: code })
      if (nextStep.signInStep === 'DONE') await completeSignIn('Welcome back!')
      else goTo(signInStep, { form: authSentences.unknown })
    } catch (error) {
      const problem = toAuthError(error, 'totp')
      if (problem.kind !== 'challenge-over') return problem
      goTo(signInStep, { form: problem.userMessage })
    }
    return undefined
  }

  const verifyBackupCode = (token: string): StepResult => {
    if (attempt.current.code !== token) attempt.current = { code: token, id: crypto.randomUUID() }
    return redeemBackupCode({ email, token, attemptId: attempt.current.id }, verifyTotp, setAwaitingCode)
  }

  /** Leaves for Google; the page comes back as a new one (AUTH-03). */
  const signInWithGoogle = async (): Promise<void> => {
    try {
      const config = await configureAuth()
      if (hasHostedUi(config)) location.assign(await createHostedSignInUrl(config))
      else setProblems({ form: authSentences.googleNotConfigured })
    } catch (error) {
      setProblems(toFormErrors(toAuthError(error, 'sign-in')))
    }
  }

  const completeGoogleSignIn = async (answer: HostedCallback): Promise<void> => {
    try {
      const config = await configureAuth()
      if (!hasHostedUi(config)) throw new HostedSignInError(authSentences.googleNotConfigured)
      await completeHostedSignIn(config, answer)
      await completeSignIn('Welcome back!')
    } catch (error) {
      const known = error instanceof HostedSignInError
      goTo(signInStep, { form: known ? error.userMessage : toAuthError(error, 'sign-in').userMessage })
    }
  }

  const cancelTotp = () => {
    setValues({ ...values, password: '' })
    goTo(signInStep)
    showToast('info', 'Sign in cancelled')
  }

  return {
    step,
    goTo,
    values,
    setValues,
    problems,
    setProblems,
    signIn: () => signIn(values.password, 'Welcome back!'),
    signUp,
    confirm,
    confirmByLink,
    resendConfirmation: () => resendConfirmation(),
    requestReset,
    sendResetMail,
    resetPassword,
    verifyTotp,
    verifyBackupCode,
    awaitingCode,
    signInWithGoogle,
    completeGoogleSignIn,
    cancelTotp,
  }
}

function getInitialStep(link: AuthLink | undefined): Step {
  if (link?.kind === 'confirm' || link?.kind === 'google') return { name: 'working' }
  if (link?.kind === 'invited') return { name: 'credentials', mode: 'create' }
  if (link?.kind === 'recovery' && link.email !== '' && link.code !== '')
    return { name: 'reset', code: link.code }
  return signInStep
}

function toFormErrors({ field, userMessage: sentence }: AuthError): FormErrors {
  return field === 'email' || field === 'password' ? { [field]: sentence } : { form: sentence }
}
