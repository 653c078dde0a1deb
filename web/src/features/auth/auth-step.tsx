import { t } from '@lingui/core/macro'
import type { PublicIdentityProvider } from '#shared/identity-providers.ts'
import { useBrand } from '../../lib/api/config.ts'
import { useSignUpMode } from '../../lib/sign-in/site-state.ts'
import type { AuthLink } from './auth-link.ts'
import { ConfirmStep } from './confirm-step.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { NewPasswordStep } from './new-password-step.tsx'
import type { SignInAtProvider } from './provider-buttons.tsx'
import { ProviderForm } from './provider-form.tsx'
import { ResetStep } from './reset-step.tsx'
import { TotpStep } from './totp-step.tsx'
import { signInStep, type useAuthFlow } from './use-auth-flow.ts'

interface AuthStepProps {
  flow: ReturnType<typeof useAuthFlow>
  /** the link with which the page was opened */
  link: AuthLink | undefined
  hasPasswords: boolean
  providers: readonly PublicIdentityProvider[]
  onProvider: SignInAtProvider
}

/** The form of the current step of the sign-in page. */
export function AuthStep({ flow, link, ...props }: AuthStepProps) {
  const { step, goTo, email } = flow
  const goToSignIn = () => goTo(signInStep)
  switch (step.name) {
    case 'working':
      return (
        <h1 className="m-auto text-base font-normal text-ink-muted">
          {link?.kind === 'hosted' ? t`Signing you in…` : t`Confirming your e-mail address…`}
        </h1>
      )
    case 'credentials':
      return <CredentialsStep flow={flow} mode={step.mode} isInvited={link?.kind === 'invited'} {...props} />
    case 'confirm':
      return (
        <ConfirmStep
          email={email}
          initialCode={step.code}
          initialProblem={step.problem}
          wasMailJustSent={step.wasMailJustSent}
          isAccountUnknown={step.isAccountUnknown === true}
          onConfirm={flow.confirm}
          onResend={flow.resendConfirmation}
          onChangeEmail={() => goTo({ name: 'credentials', mode: 'create' })}
          onBack={goToSignIn}
        />
      )
    case 'reset':
      return (
        <ResetStep
          email={email}
          linkCode={step.code}
          wasSignedUpElsewhere={step.wasSignedUpElsewhere === true}
          onReset={flow.resetPassword}
          onResend={flow.resendResetMail}
          onConfirmFirst={flow.confirmForgotten}
          onBack={goToSignIn}
        />
      )
    case 'new-password':
      return <NewPasswordStep email={email} onSubmit={flow.setNewPassword} onBack={goToSignIn} />
    case 'totp':
      return (
        <TotpStep
          onVerify={flow.totp.verifyTotp}
          onBackupCode={flow.totp.verifyBackupCode}
          isWaitingForNextCode={flow.totp.isWaitingForNextCode}
          onCancel={flow.cancelTotp}
        />
      )
  }
}

/** Sign-in and sign-up, with a password or without. */
function CredentialsStep({
  flow,
  mode,
  isInvited,
  hasPasswords,
  providers,
  onProvider,
}: Omit<AuthStepProps, 'link'> & { mode: 'sign-in' | 'create'; isInvited: boolean }) {
  const { assistantName } = useBrand()
  const signUpMode = useSignUpMode()
  const formProps = {
    assistantName,
    isInvited,
    values: flow.form,
    errors: flow.errors,
    onErrorsChange: flow.setErrors,
    providers,
    onProvider,
  }
  if (!hasPasswords) return <ProviderForm {...formProps} />
  return (
    <CredentialsForm
      {...formProps}
      mode={mode}
      signUpMode={signUpMode}
      onModeChange={(next) => flow.goTo({ name: 'credentials', mode: next })}
      onSubmit={mode === 'create' ? flow.signUp : flow.signIn}
      onForgotPassword={flow.requestReset}
    />
  )
}
