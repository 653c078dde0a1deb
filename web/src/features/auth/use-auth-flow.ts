import { useRef, useState } from 'react'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError } from '../../lib/api-errors.ts'
import { configureSession, endLocalSession } from '../../lib/auth-session.ts'
import { callApi } from '../../lib/call-api.ts'
import { useAuth } from './auth-context.ts'
import { authProblem, authSentences, type AuthProblem } from './auth-errors.ts'
import type { AuthLink } from './auth-link.ts'
import type { StepResult } from './code-step.tsx'
import type { Draft, Problems } from './credentials-form.tsx'
import {
  finishHostedSignIn,
  hostedSignInAddress,
  HostedSignInError,
  type HostedAnswer,
} from './google-sign-in.ts'
import { hasHostedSignIn } from './hosted-pool.ts'

/** Where one is on the sign-in page. In memory only: a reload begins again (DEC-021). */
export type Step =
  | { name: 'credentials'; mode: 'sign-in' | 'create' }
  | { name: 'working' }
  | { name: 'confirm'; mailJustSent: boolean; code: string; problem?: string }
  | { name: 'reset'; code?: string }
  | { name: 'totp' }

type Flows = typeof import('./auth-flows.ts')

/** The sign-in library, ready to be used. @throws ConfigError, or a load error that counts as no answer */
async function loadFlows(): Promise<Flows> {
  const [flows] = await Promise.all([import('./auth-flows.ts').catch(noAnswer), configureSession()])
  return flows
}

function noAnswer(cause: unknown): never {
  throw Object.assign(new Error('a part of the page could not be loaded', { cause }), {
    name: 'NetworkError',
  })
}

const linkOver =
  'This link was already used or has expired. Send a new e-mail, or sign in if you have confirmed before.'
const passwordChanged = 'Your password is changed. Sign in with the new one.'
const signInStep: Step = { name: 'credentials', mode: 'sign-in' }

/** Everything one can do on the sign-in page: each action ends on another step, in the app, or with a problem to show. */
export function useAuthFlow(link: AuthLink | undefined) {
  const auth = useAuth()
  const mailed = link?.kind === 'confirm' || link?.kind === 'recovery' ? link : undefined
  const [step, setStep] = useState<Step>(() => firstStep(link))
  const [draft, setDraft] = useState<Draft>({ fullName: '', email: mailed?.email ?? '', password: '' })
  const [problems, setProblems] = useState<Problems>({})
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
      goTo({ name: 'confirm', mailJustSent: true, code: '' })
      showToast('success', 'Account created! Please check your email to confirm your account.')
    } catch (error) {
      const problem = authProblem(error, 'sign-up')
      if (problem.kind === 'account-exists') goTo(signInStep, { form: problem.sentence })
      else setProblems(toProblems(problem))
    }
  }

  const confirm = async (code: string): StepResult => {
    try {
      const flows = await loadFlows()
      await flows.confirmSignUp({ username: email, confirmationCode: code })
    } catch (error) {
      const problem = authProblem(error, 'confirm')
      if (problem.kind !== 'already-confirmed') return problem
      if (draft.password === '') goTo(signInStep, { info: problem.sentence })
      else await signIn(draft.password, 'Welcome back!')
      return undefined
    }
    showToast('success', 'Email Confirmed', { description: 'Your account is ready.' })
    if (draft.password === '') goTo(signInStep)
    else await signIn(draft.password, undefined)
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

  const resendConfirmation = async (): StepResult => {
    try {
      const flows = await loadFlows()
      await flows.resendSignUpCode({ username: email })
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

  /** A backup code buys the codes of the app, which answer the challenge; the first may have been used a moment ago. */
  const verifyBackupCode = async (token: string, lastTry = false): StepResult => {
    // the same code again is the same attempt: an answer that was lost has not lost the code
    if (attempt.current.code !== token) attempt.current = { code: token, id: crypto.randomUUID() }
    let codes: readonly string[]
    try {
      const body = { email, token, isBackupCode: true, attemptId: attempt.current.id }
      codes = (await callApi('mfa.verify', { body })).codes ?? []
    } catch (error) {
      return backupProblem(error)
    }
    for (const code of codes) {
      const problem = await verifyTotp(code)
      if (problem?.kind !== 'code-used') return problem
    }
    if (lastTry) return { kind: 'code-refused', field: 'code', sentence: authSentences.totpWrong }
    // signed in and out within a minute: the service takes each code once, so the next one has to come
    setAwaitingCode(true)
    await nextTimeStep()
    setAwaitingCode(false)
    return verifyBackupCode(token, true)
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
    resendConfirmation,
    requestReset,
    sendResetMail,
    resetPassword,
    verifyTotp,
    verifyBackupCode: (token: string) => verifyBackupCode(token),
    awaitingCode,
    signInWithGoogle,
    finishGoogle,
    cancelTotp,
  }
}

function firstStep(link: AuthLink | undefined): Step {
  if (link?.kind === 'confirm' || link?.kind === 'google') return { name: 'working' }
  if (link?.kind === 'recovery' && link.email !== '' && link.code !== '')
    return { name: 'reset', code: link.code }
  return signInStep
}

/** The moment when the authenticator's next code begins to count, and a little more for clocks that differ. */
function nextTimeStep(): Promise<void> {
  const stepMs = 30_000
  return new Promise((resolve) => setTimeout(resolve, stepMs - (Date.now() % stepMs) + 500))
}

function backupProblem(error: unknown): AuthProblem {
  if (!(error instanceof ApiError)) return authProblem(error, 'totp')
  const refused = error.code === 'invalid_code'
  return {
    kind: refused ? 'code-refused' : 'other',
    field: refused ? 'code' : 'form',
    sentence: error.sentence,
  }
}

function toProblems({ field, sentence }: AuthProblem): Problems {
  return field === 'email' || field === 'password' ? { [field]: sentence } : { form: sentence }
}
