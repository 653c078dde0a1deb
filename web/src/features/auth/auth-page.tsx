import { useEffect, useRef, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { LoadingScreen } from '../../components/loading-screen.tsx'
import { PageFrame } from '../../components/page-frame.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { useBrand, useConfig } from '../../lib/config.ts'
import { whenIdle } from '../../lib/when-idle.ts'
import { useAuth } from './auth-context.ts'
import { parseAuthLink, type AuthLink } from './auth-link.ts'
import { ConfirmStep } from './confirm-step.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { ResetStep } from './reset-step.tsx'
import { discardHostedSignIn } from './google-sign-in.ts'
import { toReturnPath } from './return-path.ts'
import { TotpStep } from './totp-step.tsx'
import { recoveryToastId, useAuthFlow, type Step } from './use-auth-flow.ts'
import * as texts from './page-texts.tsx'

/** /auth: sign in, sign up, confirm an account, reset the password. */
export function AuthPage() {
  const { state } = useAuth()
  const location = useLocation()
  const navigate = useNavigate()
  const { brandName, assistantName } = useBrand()
  const signUp = useConfig()?.signUp ?? 'open'
  const [link] = useState(() => parseAuthLink(location.search))
  const isInvited = link?.kind === 'invited'
  const flow = useAuthFlow(link)
  const { step, goTo } = flow
  const followed = useRef(false)

  // read once, then removed from the URL: a reload must not repeat it, and a code must not stay in the
  // history. An invitation stays: without it, a
  // reload would close the form
  useEffect(() => {
    if (location.search !== '' && !isInvited) void navigate('/auth', { replace: true, state: location.state })
  }, [location, navigate, isInvited])

  useEffect(() => {
    if (!link || followed.current) return
    followed.current = true
    announce(link)
    if (link.kind === 'failed' || link.kind === 'refused') discardHostedSignIn()
    if (link.kind === 'confirm') void flow.confirmByLink(link.code)
    if (link.kind === 'google') void flow.completeGoogleSignIn(link)
  }, [link, flow])

  // preloads Amplify, which the first submit needs
  useEffect(() => void whenIdle().then(() => import('./amplify-auth.ts').catch(() => undefined)), [])

  const title = pageTitle(step)
  useEffect(() => {
    document.title = `${title} · ${brandName}`
  }, [title, brandName])

  const followingLink = step.name === 'working' || (link?.kind === 'recovery' && step.name === 'reset')
  if (state.status === 'loading') return <LoadingScreen />
  if (state.status === 'signed-in' && !followingLink)
    return <Navigate to={toReturnPath(location.state)} replace />

  return (
    <PageFrame footer={texts.footer}>
      {step.name === 'working' && (
        <p role="status" className="m-auto text-ink-muted">
          {link?.kind === 'google' ? texts.signingIn : texts.confirmingEmail}
        </p>
      )}
      {step.name === 'credentials' && (
        <CredentialsForm
          mode={step.mode}
          signUp={signUp}
          isInvited={isInvited}
          values={flow.values}
          onValuesChange={flow.setValues}
          problems={flow.problems}
          onErrorsChange={flow.setProblems}
          assistantName={assistantName}
          onModeChange={(mode) => goTo({ name: 'credentials', mode })}
          onSubmit={step.mode === 'create' ? flow.signUp : flow.signIn}
          onForgotPassword={flow.requestReset}
          onGoogle={flow.signInWithGoogle}
        />
      )}
      {step.name === 'confirm' && (
        <ConfirmStep
          email={flow.values.email.trim()}
          initialCode={step.code}
          firstProblem={step.problem}
          mailJustSent={step.mailJustSent}
          onConfirm={flow.confirm}
          onResend={flow.resendConfirmation}
          onChangeEmail={() => goTo({ name: 'credentials', mode: 'create' })}
          onBack={() => goTo({ name: 'credentials', mode: 'sign-in' })}
        />
      )}
      {step.name === 'reset' && (
        <ResetStep
          email={flow.values.email.trim()}
          linkCode={step.code}
          isFirst={step.first === true}
          onReset={flow.resetPassword}
          onResend={flow.sendResetMail}
          onBack={() => goTo({ name: 'credentials', mode: 'sign-in' })}
        />
      )}
      {step.name === 'totp' && (
        <TotpStep
          onVerify={flow.verifyTotp}
          onBackupCode={flow.verifyBackupCode}
          awaitingCode={flow.awaitingCode}
          onCancel={flow.cancelTotp}
        />
      )}
    </PageFrame>
  )
}

function pageTitle(step: Step): string {
  if (step.name === 'credentials') return step.mode === 'create' ? texts.createAccount : texts.signIn
  return {
    working: texts.confirm,
    confirm: texts.checkEmail,
    reset: texts.newPassword,
    totp: texts.twoFactor,
  }[step.name]
}

function announce(link: AuthLink): void {
  if (link.kind === 'failed') showToast('error', link.userMessage)
  if (link.kind === 'confirmed')
    showToast('success', texts.emailConfirmed, { description: texts.youCanSignIn })
  if (link.kind !== 'recovery') return
  const description =
    link.code === '' || link.email === '' ? texts.enterEmailToReset : texts.chooseNewPasswordHint
  showToast('success', texts.passwordReset, { id: recoveryToastId, description })
}
