import { useRef, useState } from 'react'
import { dismissToast, showToast } from '../../components/ui/toast.ts'
import { replacePasswordKey } from '#shared/user-pool.ts'
import { isNamed } from '../../lib/api-errors.ts'
import { configureSession, endLocalSession } from '../../lib/auth-tokens.ts'
import { useAuth } from './auth-context.ts'
import { authProblem, authSentences, type AuthProblem } from './auth-errors.ts'
import type { AuthLink } from './auth-link.ts'
import { answerByBackupCode } from './backup-code.ts'
import type { StepResult } from './confirm-step.tsx'
import type { Draft, Problems } from './credentials-form.tsx'
import {
  finishHostedSignIn,
  hostedSignInAddress,
  HostedSignInError,
  type HostedAnswer,
} from './google-sign-in.ts'
import { hasHostedSignIn } from './hosted-ui.ts'
import { loadFlows } from './load-amplify-auth.ts'
import { forgetOwnSignUp, isOwnSignUp, rememberOwnSignUp } from './local-sign-up.ts'

/** Where one is on the sign-in page. In memory only: a reload begins again (DEC-021). */
export type Step =
  | { name: 'credentials'; mode: 'sign-in' | 'create' }
  | { name: 'working' }
  | { name: 'confirm'; mailJustSent: boolean; code: string; problem?: string }
  /** `first`: of an account that was confirmed here, but signed up elsewhere */
  | { name: 'reset'; code?: string; first?: true }
  | { name: 'totp' }

/** The toast that a recovery link is met with. */
export const recoveryToast = 'recovery-link'
const linkOver =
  'This link was already used or has expired. Send a new e-mail, or sign in if you have confirmed before.'
const passwordChanged = 'Your password is changed. Sign in with the new one.'
const notConfirmedYet = 'Never confirmed it? Send the e-mail again'
const choosePasswordLater =
  'Your e-mail address is confirmed. Choose “Forgot your password?” to set a password, then sign in with it.'
const signInStep: Step = { name: 'credentials', mode: 'sign-in' }

/** Everything one can do on the sign-in page: each action ends on another step, in the app, or with a problem to show. */
export function useAuthFlow(link: AuthLink | undefined) {
  const auth = useAuth()
  const addressed = link && 'email' in link ? link : undefined
  const [step, setStep] = useState<Step>(() => firstStep(link))
  const [draft, setDraft] = useState<Draft>({ fullName: '', email: addressed?.email ?? '', password: '' })
  const [problems, setProblems] = useState<Problems>(() =>
    link?.kind === 'refused' || link?.kind === 'failed' ? { form: link.sentence } : {},
  )
  const email = draft.email.trim()
  const attempt = useRef({ code: '', id: '' })
  const [awaitingCode, setAwaitingCode] = useState(false)

  const goTo = (next: Step, nextProblems: Problems = {}) => {
    setStep(next)
    setProblems(nextProblems)
  }

  const arrive = async (greeting: string | undefined) => {
    if (greeting !== undefined) showToast('success', greeting)
    await auth.refresh()
    // the page has left for the app by now; only a recovery link kept it here
    goTo(signInStep)
  }

  /** Signs in and goes on with whatever the service asks for next; a problem is shown on the sign-in form. */
  const signIn = async (password: string, greeting: string | undefined): Promise<void> => {
    try {
      const flows = await loadFlows()
      const { nextStep } = await flows.signIn({ username: email, password })
      if (nextStep.signInStep === 'DONE') return await arrive(greeting)
      if (nextStep.signInStep === 'CONFIRM_SIGN_IN_WITH_TOTP_CODE') return goTo({ name: 'totp' })
      if (nextStep.signInStep === 'RESET_PASSWORD') return await requestReset()
      if (nextStep.signInStep !== 'CONFIRM_SIGN_UP') return goTo(signInStep, { form: authSentences.unknown })
      // the service says this only to who knows the password
      rememberOwnSignUp(email)
      goTo(signInStep, {
        form: authSentences.notConfirmed,
        action: {
          label: 'Enter the code, or send the e-mail again',
          onClick: () => goTo({ name: 'confirm', mailJustSent: false, code: '' }),
        },
      })
    } catch (error) {
      const problem = authProblem(error, 'sign-in')
      if (problem.kind === 'already-signed-in') await auth.refresh()
      else goTo(signInStep, toProblems(problem))
    }
  }

  const signUp = async (): Promise<void> => {
    try {
      const flows = await loadFlows()
      const { fullName, password } = draft
      const { nextStep } = await flows.signUp({
        username: email,
        password,
        options: { userAttributes: { email, name: fullName.trim() } },
      })
      if (nextStep.signUpStep === 'DONE') return await signIn(password, undefined)
      rememberOwnSignUp(email)
      goTo({ name: 'confirm', mailJustSent: true, code: '' })
      showToast('success', 'Account created! Please check your email to confirm your account.')
    } catch (error) {
      const problem = authProblem(error, 'sign-up')
      if (problem.kind !== 'account-exists') return setProblems(toProblems(problem))
      // perhaps somebody else signed the address up, and its owner has only the mail
      const sendAgain = { label: notConfirmedYet, onClick: () => void confirmExisting() }
      const isOfPool = isNamed(error, 'UsernameExistsException')
      goTo(signInStep, { form: problem.sentence, ...(isOfPool && { action: sendAgain }) })
    }
  }

  /** The way on for the owner of an address that somebody has signed up before: the mail once more, then a password of their own. */
  const confirmExisting = async (): Promise<void> => {
    const problem = await resendConfirmation({ name: 'confirm', mailJustSent: true, code: '' })
    if (problem) setProblems(toProblems(problem))
  }

  const confirm = async (code: string): StepResult => {
    const isOwn = isOwnSignUp(email)
    try {
      const flows = await loadFlows()
      const options = isOwn ? undefined : { clientMetadata: { [replacePasswordKey]: 'true' } }
      await flows.confirmSignUp({ username: email, confirmationCode: code, ...(options && { options }) })
    } catch (error) {
      const problem = authProblem(error, 'confirm')
      if (problem.kind !== 'already-confirmed') return problem
      if (draft.password === '' || !isOwn) goTo(signInStep, { info: problem.sentence })
      else await signIn(draft.password, 'Welcome back!')
      return undefined
    }
    if (!isOwn) return choosePassword()
    forgetOwnSignUp()
    showToast('success', 'Email Confirmed', { description: 'Your account is ready.' })
    if (draft.password === '') goTo(signInStep)
    else await signIn(draft.password, undefined)
    return undefined
  }

  /** Nobody knows the password of an account that was signed up elsewhere: who got its mail chooses one. */
  const choosePassword = async (): StepResult => {
    showToast('success', 'Email Confirmed', { description: 'Choose a password to finish.' })
    setDraft({ ...draft, password: '' })
    const problem = await sendResetMail()
    if (problem) goTo(signInStep, { form: problem.sentence, info: choosePasswordLater })
    else goTo({ name: 'reset', first: true })
    return undefined
  }

  /** The mailed confirmation link: one call, without any earlier session. */
  const confirmByLink = async (code: string): Promise<void> => {
    const problem = await confirm(code)
    if (!problem) return
    const over = problem.kind === 'code-refused'
    const sentence = over ? linkOver : problem.sentence
    goTo({ name: 'confirm', mailJustSent: false, code: over ? '' : code, problem: sentence })
  }

  /** @param next where to go on once the mail is sent */
  const resendConfirmation = async (next?: Step): StepResult => {
    try {
      const flows = await loadFlows()
      await flows.resendSignUpCode({ username: email })
      if (next) goTo(next)
    } catch (error) {
      const problem = authProblem(error, 'confirm')
      if (problem.kind !== 'already-confirmed') return problem
      goTo(signInStep, { info: problem.sentence })
    }
    return undefined
  }

  /** Asks for the reset mail. The same answer whether or not there is an account (DEC-028). */
  const sendResetMail = async (): StepResult => {
    try {
      const flows = await loadFlows()
      await flows.resetPassword({ username: email })
    } catch (error) {
      const hidesAccount = /^(UserNotFound|NotAuthorized|InvalidParameter)/.test(
        error instanceof Error ? error.name : '',
      )
      if (!hidesAccount) return authProblem(error, 'reset')
    }
    return undefined
  }

  const requestReset = async (): Promise<void> => {
    if (email === '') return setProblems({ email: authSentences.emailFirst })
    const problem = await sendResetMail()
    if (problem) return setProblems(toProblems(problem))
    goTo({ name: 'reset' })
    showToast('success', 'Password reset email sent', {
      description: 'Check your email for password reset instructions.',
    })
  }

  const resetPassword = async (code: string, newPassword: string): StepResult => {
    // from here on the form says how it goes
    dismissToast(recoveryToast)
    try {
      const flows = await loadFlows()
      await flows.confirmResetPassword({ username: email, confirmationCode: code, newPassword })
    } catch (error) {
      return authProblem(error, 'reset')
    }
    if (auth.state.status === 'signed-in') {
      // a link opened while signed in, perhaps as someone else
      await endLocalSession()
      await auth.refresh()
    }
    // no session comes of a link (DEC-022): the next sign-in asks for everything it always asks for
    setDraft({ ...draft, password: '' })
    goTo(signInStep, { info: passwordChanged })
    return undefined
  }

  const verifyTotp = async (code: string): StepResult => {
    try {
      const flows = await loadFlows()
      const { nextStep } = await flows.confirmSignIn({ challengeResponse: code })
      if (nextStep.signInStep === 'DONE') await arrive('Welcome back!')
      else goTo(signInStep, { form: authSentences.unknown })
    } catch (error) {
      const problem = authProblem(error, 'totp')
      if (problem.kind !== 'challenge-over') return problem
      goTo(signInStep, { form: problem.sentence })
    }
    return undefined
  }

  const verifyBackupCode = (token: string): StepResult => {
    if (attempt.current.code !== token) attempt.current = { code: token, id: crypto.randomUUID() }
    return answerByBackupCode({ email, token, attemptId: attempt.current.id }, verifyTotp, setAwaitingCode)
  }

  /** Leaves for Google; the page comes back as a new one (AUTH-03). */
  const signInWithGoogle = async (): Promise<void> => {
    try {
      const config = await configureSession()
      if (hasHostedSignIn(config)) location.assign(await hostedSignInAddress(config))
      else setProblems({ form: authSentences.googleNotConfigured })
    } catch (error) {
      setProblems(toProblems(authProblem(error, 'sign-in')))
    }
  }

  const finishGoogle = async (answer: HostedAnswer): Promise<void> => {
    try {
      const config = await configureSession()
      if (!hasHostedSignIn(config)) throw new HostedSignInError(authSentences.googleNotConfigured)
      await finishHostedSignIn(config, answer)
      await arrive('Welcome back!')
    } catch (error) {
      const known = error instanceof HostedSignInError
      goTo(signInStep, { form: known ? error.sentence : authProblem(error, 'sign-in').sentence })
    }
  }

  const cancelTotp = () => {
    setDraft({ ...draft, password: '' })
    goTo(signInStep)
    showToast('info', 'Sign in cancelled')
  }

  return {
    step,
    goTo,
    draft,
    setDraft,
    problems,
    setProblems,
    signIn: () => signIn(draft.password, 'Welcome back!'),
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
    finishGoogle,
    cancelTotp,
  }
}

function firstStep(link: AuthLink | undefined): Step {
  if (link?.kind === 'confirm' || link?.kind === 'google') return { name: 'working' }
  if (link?.kind === 'invited') return { name: 'credentials', mode: 'create' }
  if (link?.kind === 'recovery' && link.email !== '' && link.code !== '')
    return { name: 'reset', code: link.code }
  return signInStep
}

function toProblems({ field, sentence }: AuthProblem): Problems {
  return field === 'email' || field === 'password' ? { [field]: sentence } : { form: sentence }
}
