import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { LoadingScreen } from '../../components/loading-screen.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { useBrand, useConfig } from '../../lib/config.ts'
import { useSignUpMode } from '../../lib/sign-up-mode.ts'
import { whenIdle } from '../../lib/when-idle.ts'
import { showAccountRefusal } from './account-refusal.ts'
import { useAuth } from './auth-context.ts'
import { parseAuthLink, type AuthLink } from './auth-link.ts'
import { ConfirmStep } from './confirm-step.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { ResetStep } from './reset-step.tsx'
import { discardHostedSignIn, findPendingSignIn } from './hosted-sign-in.ts'
import { ProviderForm } from './provider-form.tsx'
import { google, listProviders } from '../../lib/identity-providers.ts'
import { toReturnPath } from './return-path.ts'
import { TotpStep } from './totp-step.tsx'
import { recoveryToastId, useAuthFlow, type Step } from './use-auth-flow.ts'
import type { SignInAtProvider } from './provider-buttons.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import * as errorTexts from './error-texts.ts'

/** /auth: sign in, sign up, confirm an account, reset the password. */
export function AuthPage() {
  const { state } = useAuth()
  // links are parsed with the configuration, which is not known before
  return state.status === 'loading' ? <LoadingScreen /> : <AuthSteps />
}

/** Parses the link. Refuses the links of e-mails that were sent while users still had passwords. */
const parseLink = (
  { search, hash }: Pick<Location, 'search' | 'hash'>,
  hasPasswords: boolean,
  hasGoogle: boolean,
): AuthLink | undefined => {
  const label = findPendingSignIn()?.label ?? (hasGoogle ? google.label : undefined)
  const link = parseAuthLink(search, label, hash)
  return !hasPasswords && (link?.kind === 'confirm' || link?.kind === 'recovery')
    ? { kind: 'refused', userMessage: errorTexts.passwordsOff }
    : link
}

function AuthSteps() {
  const { state } = useAuth()
  const location = useLocation()
  const navigate = useNavigate()
  const { assistantName } = useBrand()
  const { passwordSignIn: hasPasswords = true, mailbox, ...config } = useConfig() ?? {}
  const signUpMode = useSignUpMode()
  const providers = listProviders(config)
  const hasGoogle = providers.some(({ name }) => name === google.name)
  const [link] = useState(() => parseLink(location, hasPasswords, hasGoogle))
  const isInvited = link?.kind === 'invited'
  const flow = useAuthFlow(link)
  const { step, goTo } = flow
  const isLinkHandled = useRef(false)

  const isFollowingLink = step.name === 'working' || (link?.kind === 'recovery' && step.name === 'reset')
  const isSignedIn = state.status === 'signed-in'
  const isLeaving = isSignedIn && !isFollowingLink

  // read once, then removed from the URL: a reload must not repeat it, and a code must not stay in the history. An invitation stays:
  // without it, a reload would close the form. Not while leaving for the app: this navigation would bring the user back
  useEffect(() => {
    if (location.search !== '' && !isInvited && !isLeaving)
      void navigate('/auth', { replace: true, state: location.state })
  }, [location, navigate, isInvited, isLeaving])

  useEffect(() => {
    if (!link || isLinkHandled.current) return
    isLinkHandled.current = true
    showLinkToast(link, isSignedIn)
    if (link.kind === 'failed' || link.kind === 'refused') discardHostedSignIn()
    if (link.kind === 'confirm') void flow.confirmByLink(link.code)
    if (link.kind === 'hosted') void flow.completeSignInAtProvider(link)
  }, [link, flow, isSignedIn])

  useEffect(showAccountRefusal, [])
  // preloads Amplify, which the first submit needs
  useEffect(() => void whenIdle().then(() => import('../../lib/amplify-auth.ts').catch(() => undefined)), [])

  useDocumentTitle(getPageTitle(step, hasPasswords))

  const targetPath = toReturnPath(flow.returnPath === undefined ? location.state : { from: flow.returnPath })
  if (isLeaving) return <Navigate to={targetPath} replace />
  const signInAtProvider: SignInAtProvider = (provider, loginHint) =>
    flow.signInAtProvider(provider, { returnPath: targetPath, ...(loginHint && { loginHint }) })
  const formProps = {
    assistantName,
    isInvited,
    values: flow.values,
    errors: flow.errors,
    onErrorsChange: flow.setErrors,
    providers,
    onProvider: signInAtProvider,
  }

  return (
    <PageFrame
      footer={
        mailbox === undefined
          ? t`Self-hosted: your data is stored in your organisation's AWS account. The configured model and the tools that you connect receive what is sent to them.`
          : t`Self-hosted: your data is stored on the computer that runs this. The configured model and the tools that you connect receive what is sent to them.`
      }
    >
      {step.name === 'working' && (
        <p role="status" className="m-auto text-ink-muted">
          {link?.kind === 'hosted' ? t`Signing you in…` : t`Confirming your e-mail address…`}
        </p>
      )}
      {step.name === 'credentials' && !hasPasswords && <ProviderForm {...formProps} />}
      {step.name === 'credentials' && hasPasswords && (
        <CredentialsForm
          {...formProps}
          mode={step.mode}
          signUpMode={signUpMode}
          onModeChange={(mode) => goTo({ name: 'credentials', mode })}
          onSubmit={step.mode === 'create' ? flow.signUp : flow.signIn}
          onForgotPassword={flow.requestReset}
        />
      )}
      {step.name === 'confirm' && (
        <ConfirmStep
          email={flow.values.value.email.trim()}
          initialCode={step.code}
          initialProblem={step.problem}
          mailJustSent={step.mailJustSent}
          isAccountUnknown={step.isAccountUnknown === true}
          onConfirm={flow.confirm}
          onResend={flow.resendConfirmation}
          onChangeEmail={() => goTo({ name: 'credentials', mode: 'create' })}
          onBack={() => goTo({ name: 'credentials', mode: 'sign-in' })}
        />
      )}
      {step.name === 'reset' && (
        <ResetStep
          email={flow.values.value.email.trim()}
          linkCode={step.code}
          wasSignedUpElsewhere={step.wasSignedUpElsewhere === true}
          onReset={flow.resetPassword}
          onResend={flow.sendResetMail}
          onConfirmFirst={flow.confirmForgotten}
          onBack={() => goTo({ name: 'credentials', mode: 'sign-in' })}
        />
      )}
      {step.name === 'totp' && (
        <TotpStep
          onVerify={flow.totp.verifyTotp}
          onBackupCode={flow.totp.verifyBackupCode}
          isWaitingForNextCode={flow.totp.isWaitingForNextCode}
          onCancel={flow.cancelTotp}
        />
      )}
    </PageFrame>
  )
}

function getPageTitle(step: Step, hasPasswords: boolean): string {
  if (step.name === 'credentials')
    return step.mode === 'create' && hasPasswords ? t`Create account` : t`Sign in`
  return {
    working: t`Confirm`,
    confirm: t`Check your e-mail`,
    reset: t`New password`,
    totp: t`Two-factor`,
  }[step.name]
}

/** Shows the result of a link. @param isSignedIn a signed-in user does not see the sign-in form, which shows refusals */
function showLinkToast(link: AuthLink, isSignedIn: boolean): void {
  if (link.kind === 'failed' || (link.kind === 'refused' && isSignedIn)) showToast('error', link.userMessage)
  if (link.kind === 'confirmed')
    showToast('success', t`Email Confirmed`, { description: t`You can sign in now.` })
  if (link.kind !== 'recovery') return
  const description =
    link.code === '' || link.email === ''
      ? t`Enter your e-mail address, then choose “Forgot your password?”.`
      : t`Choose a new password.`
  showToast('success', t`Password Reset`, { id: recoveryToastId, description })
}
