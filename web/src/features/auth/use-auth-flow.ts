import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { invitationSecretKey, replacePasswordKey } from '#shared/user-pool.ts'
import { dismissToast, showToast } from '../../components/ui/toast.ts'
import { hasErrorName } from '../../lib/api/api-errors.ts'
import { loadConfig } from '../../lib/api/config.ts'
import { createErrorDetails } from '../../lib/api/error-details.ts'
import { useInput } from '../../lib/input/use-input.ts'
import { google } from '../../lib/sign-in/identity-providers.ts'
import { mailMetadata } from '../../lib/sign-in/load-amplify-auth.ts'
import { clearTokens } from '../../lib/sign-in/store-tokens.ts'
import { useAuth } from './auth-context.ts'
import { askAmplify, type AuthError, type StepResult, toAuthError } from './auth-errors.ts'
import type { AuthLink } from './auth-link.ts'
import { describeWeakPassword } from './check-password.ts'
import * as errorTexts from './error-texts.ts'
import type { FormErrors, FormValues } from './form-values.ts'
import {
  completeHostedSignIn,
  createHostedSignInUrl,
  discardHostedSignIn,
  findPendingSignIn,
  type HostedCallback,
  type HostedProvider,
  HostedSignInError,
  type HostedSignInOptions,
  refuseHostedSignIn,
} from './hosted-sign-in.ts'
import { hasHostedUi } from './hosted-ui.ts'
import { isLocalSignUp, onLocalSignUpConfirmed, removeLocalSignUp, saveLocalSignUp } from './local-sign-up.ts'
import { useBackupCode } from './use-backup-code.ts'
import { useSubmit } from './use-submit.ts'
import { isEmailAddress } from './validate-credentials.ts'

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

const mailJustSent = { name: 'confirm', wasMailJustSent: true, code: '' } as const satisfies Step
const mailOptions = { clientMetadata: mailMetadata }
/** The toast shown for a recovery link. */
const recoveryToastId = 'recovery-link'

function getInitialStep(link: AuthLink | undefined): Step {
  if (link?.kind === 'confirm' || link?.kind === 'hosted') return { name: 'working' }
  if (link?.kind === 'invited') return { name: 'credentials', mode: 'create' }
  if (link?.kind === 'recovery' && link.email !== '' && link.code !== '')
    return { name: 'reset', code: link.code }
  return signInStep
}

/** The error at its field of the sign-in form, or above the form. */
const toFormErrors = ({ field, userMessage, cause }: AuthError): FormErrors =>
  field === 'email' || field === 'password' ? { [field]: userMessage } : { form: userMessage, cause }

/** @returns why a new password is refused */
async function findWeakness(password: string): StepResult {
  const userMessage = await describeWeakPassword(password)
  return userMessage === undefined ? undefined : { kind: 'other', field: 'password', userMessage }
}

/** Sends the reset e-mail. Errors that tell whether there is an account count as sent. */
const sendResetMail = (email: string): StepResult =>
  askAmplify('reset', (amplify) =>
    amplify.resetPassword({ username: email, options: mailOptions }).catch((error: unknown) => {
      const name = error instanceof Error ? error.name : ''
      if (!/^(UserNotFound|NotAuthorized|InvalidParameter)/.test(name)) throw error
    }),
  )

/**
 * The sign-in page: its step, its form, and what its steps do. Each action asks the user pool, and its answer decides the next step.
 * @param link with which the page was opened; it decides where the page begins, and is followed once
 */
export function useAuthFlow(link: AuthLink | undefined) {
  const auth = useAuth()
  const isSignedIn = auth.state.status === 'signed-in'
  const [step, setStep] = useState<Step>(() => getInitialStep(link))
  const form = useInput<FormValues>(useId(), {
    stored: { fullName: '', email: link && 'email' in link ? link.email : '', password: '' },
    onLeave: 'forget',
  })
  const email = form.value.email.trim()
  const { password } = form.value
  const [errors, setErrors] = useState<FormErrors>(() =>
    link?.kind === 'refused' || link?.kind === 'failed' ? { form: link.userMessage, cause: link.cause } : {},
  )
  const [hasConfirmed, setHasConfirmed] = useState(link?.kind === 'confirmed')
  /** the page to open after signing in; also set after a failure, so that a user who had to sign in again returns to their page */
  const [returnPath, setReturnPath] = useState(() =>
    link && ['hosted', 'failed', 'refused'].includes(link.kind) ? findPendingSignIn()?.returnPath : undefined,
  )
  const goTo = (next: Step, nextErrors: FormErrors = {}) => {
    setStep(next)
    setErrors(nextErrors)
  }
  const clearPassword = () => form.at('password').change('')

  /** Opens the app for the user who has signed in. @param greeting of the toast; undefined for none */
  const completeSignIn = async (greeting: string | undefined): Promise<void> => {
    if (greeting !== undefined) showToast('success', greeting)
    await auth.refresh()
    // a signed-in user stays here while a link is followed: this step ends that
    goTo(signInStep)
  }

  const requestReset = async (): Promise<void> => {
    if (email === '') return setErrors({ email: t`Please enter your e-mail address first` })
    // `sendResetMail` does not report that the user pool refuses it
    if (!isEmailAddress(email)) return setErrors({ email: t`Please enter a valid e-mail address.` })
    const problem = await sendResetMail(email)
    if (problem) return setErrors(toFormErrors(problem))
    goTo({ name: 'reset' })
    showToast('success', t`Password reset email sent`, {
      description: t`Check your email for password reset instructions.`,
    })
  }

  /** Continues with the step that the user pool asks for. */
  const proceed = async (nextStep: string, greeting: string | undefined): Promise<void> => {
    switch (nextStep) {
      case 'DONE':
        return completeSignIn(greeting)
      case 'CONFIRM_SIGN_IN_WITH_TOTP_CODE':
        return goTo({ name: 'totp' })
      case 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED':
        return goTo({ name: 'new-password' })
      case 'RESET_PASSWORD':
        return requestReset()
      case 'CONFIRM_SIGN_UP':
        // the service reveals this only if the password is correct
        saveLocalSignUp(email)
        return goTo(signInStep, {
          form: t`Please check your email and click the confirmation link before signing in.`,
          action: {
            label: t`Enter the code, or send the e-mail again`,
            onClick: () => goTo({ name: 'confirm', wasMailJustSent: false, code: '' }),
          },
        })
      default:
        goTo(signInStep, { form: errorTexts.unknownError, cause: createErrorDetails(nextStep) })
    }
  }

  const signIn = async (greeting: string | undefined): Promise<void> => {
    const problem = await askAmplify('sign-in', async (amplify) =>
      proceed((await amplify.signIn({ username: email, password })).nextStep.signInStep, greeting),
    )
    if (problem) goTo(signInStep, toFormErrors(problem))
  }

  /** Answers the challenge of a sign-in. Once it has ended, the password has to be entered again. */
  const answer = async (flow: 'totp' | 'new-password', challengeResponse: string): StepResult => {
    const problem = await askAmplify(flow, async (amplify) =>
      proceed((await amplify.confirmSignIn({ challengeResponse })).nextStep.signInStep, t`Welcome back!`),
    )
    if (problem?.kind !== 'challenge-over') return problem
    goTo(signInStep, toFormErrors(problem))
    return undefined
  }
  const verifyTotp = (code: string) => answer('totp', code)
  const { redeem, isWaitingForNextCode, stopWaiting } = useBackupCode(email, verifyTotp)

  /** Sends the e-mail that confirms the address once more, and shows `next`. For a confirmed address the sign-in form is shown. */
  const resendConfirmation = async (next?: Step): StepResult => {
    const problem = await askAmplify('confirm', (amplify) =>
      amplify.resendSignUpCode({ username: email, options: mailOptions }),
    )
    if (problem && problem.kind !== 'already-confirmed') return problem
    if (problem) goTo(signInStep, { info: problem.userMessage })
    else if (next) goTo(next)
    return undefined
  }
  /** With the code of that e-mail, the owner of an address that somebody else signed up with then chooses a new password. */
  const confirmExisting = useSubmit(async () => {
    const problem = await resendConfirmation(mailJustSent)
    if (problem) setErrors(toFormErrors(problem))
  })

  /** Creates an account; its address is then confirmed by e-mail, unless the service asks for no confirmation. */
  const signUp = async (): Promise<void> => {
    const weakness = await findWeakness(password)
    if (weakness) return setErrors(toFormErrors(weakness))
    // confirms the address to which the invitation was mailed, and no other
    const secret = link?.kind === 'invited' && link.secret && { [invitationSecretKey]: link.secret }
    const problem = await askAmplify('sign-up', async (amplify) => {
      const userAttributes = { email, name: form.value.fullName.trim() }
      const options = { userAttributes, clientMetadata: { ...mailMetadata, ...secret } }
      const { nextStep } = await amplify.signUp({ username: email, password, options })
      if (nextStep.signUpStep === 'DONE') return signIn(undefined)
      saveLocalSignUp(email)
      goTo(mailJustSent)
      showToast('success', t`Account created! Please check your email to confirm your account.`)
    })
    if (problem?.kind !== 'account-exists') return problem && setErrors(toFormErrors(problem))
    // somebody else may have signed up with this address; its owner can only confirm it by e-mail
    const action = { label: t`Never confirmed it? Send the e-mail again`, onClick: confirmExisting.submit }
    // an account of an identity provider has nothing to confirm
    const hasPassword = hasErrorName(problem.cause, 'UsernameExistsException')
    goTo(signInStep, { ...toFormErrors(problem), ...(hasPassword && { action }) })
  }

  /** Confirms the e-mail address of a new account. */
  const confirm = async (code: string): StepResult => {
    const isOwn = isLocalSignUp(email)
    // its password may be that of somebody else who signed up with the address: the service replaces it
    const options = isOwn ? {} : { options: { clientMetadata: { [replacePasswordKey]: 'true' } } }
    const problem = await askAmplify('confirm', (amplify) =>
      amplify.confirmSignUp({ username: email, confirmationCode: code, ...options }),
    )
    if (problem && problem.kind !== 'already-confirmed') return problem
    if (problem) {
      if (password === '' || !isOwn) goTo(signInStep, { info: problem.userMessage })
      else await signIn(t`Welcome back!`)
    } else if (isOwn) {
      setHasConfirmed(true)
      removeLocalSignUp()
      showToast('success', t`Email Confirmed`, { description: t`Your account is ready.` })
      if (password === '') goTo(signInStep)
      else await signIn(undefined)
    } else await choosePassword()
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

  const resetPassword = async (confirmationCode: string, newPassword: string): StepResult => {
    const weakness = await findWeakness(newPassword)
    if (weakness) return weakness
    // from here on the form shows the progress
    dismissToast(recoveryToastId)
    const problem = await askAmplify('reset', (amplify) =>
      amplify.confirmResetPassword({ username: email, confirmationCode, newPassword }),
    )
    if (problem) return problem
    if (isSignedIn) {
      // the link may belong to another account
      await clearTokens()
      await auth.refresh()
    }
    // a reset does not sign in: the next sign-in asks for the second factor
    clearPassword()
    goTo(signInStep, { info: t`Your password is changed. Sign in with the new one.` })
    return undefined
  }

  /** Goes to an identity provider; returns as a new page load. */
  const signInAtProvider = async (provider: HostedProvider, options: HostedSignInOptions): Promise<void> => {
    try {
      const config = await loadConfig()
      if (hasHostedUi(config)) return location.assign(await createHostedSignInUrl(config, provider, options))
      const isGoogle = provider.name === google.name
      setErrors({
        form: isGoogle
          ? t`Google authentication is not configured. Please contact support.`
          : errorTexts.misconfigured,
        cause: createErrorDetails('not_configured'),
      })
    } catch (error) {
      setErrors(toFormErrors(toAuthError(error, 'sign-in')))
    }
  }

  const completeSignInAtProvider = async (callback: HostedCallback): Promise<void> => {
    try {
      const config = await loadConfig()
      if (!hasHostedUi(config)) throw new HostedSignInError(errorTexts.misconfigured, 'not_configured')
      const { returnPath: path, isNewAccount } = await completeHostedSignIn(config, callback)
      setReturnPath(path)
      await completeSignIn(isNewAccount ? t`Welcome!` : t`Welcome back!`)
    } catch (error) {
      const message = (error instanceof HostedSignInError ? error : toAuthError(error, 'sign-in')).userMessage
      // a user who is still signed in sees the app instead of the form
      if (isSignedIn) showToast('error', message, { cause: error })
      goTo(signInStep, { form: message, cause: error })
    }
  }

  const followLink = useEffectEvent((followed: AuthLink) => {
    showLinkToast(followed, isSignedIn)
    if (followed.kind === 'failed' || followed.kind === 'refused') {
      if (followed.isAccountRefused) refuseHostedSignIn()
      else discardHostedSignIn()
    }
    if (followed.kind === 'confirm') void confirmByLink(followed.code)
    if (followed.kind === 'hosted') void completeSignInAtProvider(followed)
  })
  const isFollowed = useRef(false)
  useEffect(() => {
    if (link && !isFollowed.current) followLink(link)
    isFollowed.current = true
  }, [link])

  return {
    step,
    goTo,
    form,
    email,
    errors,
    setErrors,
    returnPath,
    // somebody who has just confirmed their address has not been here before
    signIn: () => signIn(hasConfirmed ? t`Welcome!` : t`Welcome back!`),
    signUp,
    confirm,
    resendConfirmation: () => resendConfirmation(),
    /** Before a reset, which an unconfirmed address gets no e-mail for: the pool answers as if it did. */
    confirmForgotten: () => {
      clearPassword()
      return resendConfirmation({ ...mailJustSent, isAccountUnknown: true })
    },
    requestReset,
    resetPassword,
    resendResetMail: () => sendResetMail(email),
    setNewPassword: async (next: string) => (await findWeakness(next)) ?? answer('new-password', next),
    signInAtProvider,
    totp: { verifyTotp, verifyBackupCode: redeem, isWaitingForNextCode },
    cancelTotp: () => {
      stopWaiting()
      clearPassword()
      goTo(signInStep)
      showToast('info', t`Sign in cancelled`)
    },
  }
}

/** Shows the result of a link. @param isSignedIn a signed-in user does not see the sign-in form, which shows refusals */
function showLinkToast(link: AuthLink, isSignedIn: boolean): void {
  if (link.kind === 'failed' || (link.kind === 'refused' && isSignedIn))
    showToast('error', link.userMessage, { cause: link.cause })
  if (link.kind === 'confirmed')
    showToast('success', t`Email Confirmed`, { description: t`You can sign in now.` })
  if (link.kind !== 'recovery') return
  const description =
    link.code === '' || link.email === ''
      ? t`Enter your e-mail address, then choose “Forgot your password?”.`
      : t`Choose a new password.`
  showToast('success', t`Password Reset`, { id: recoveryToastId, description })
}
