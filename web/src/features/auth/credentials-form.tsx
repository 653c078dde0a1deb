import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import type { PublicIdentityProvider } from '#shared/identity-providers.ts'
import type { SignUpMode } from '#shared/sign-up-policy.ts'
import { Button } from '../../components/ui/button.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { PasswordField } from '../../components/ui/password-field.tsx'
import { AuthForm, TextButton } from './auth-form.tsx'
import { preloadPasswordCheck } from './check-password.ts'
import { Divider } from './divider.tsx'
import { EmailField } from './email-field.tsx'
import type { FormErrors, FormValues } from './form-values.ts'
import { ContinueWith, ProviderButtons, type SignInAtProvider } from './provider-buttons.tsx'
import { describeDomainProvider, useDomainProvider } from './use-domain-provider.ts'
import { useSubmit } from './use-submit.ts'
import { validateCredentials } from './validate-credentials.ts'
import type { Input } from '../../lib/input/use-input.ts'

/**
 * Sign-in and sign-up in one form, so that nothing typed is lost between the two. As soon as the address is at the domain of an identity
 * provider, the form continues there; users who already have a password may still use it.
 */
export function CredentialsForm({
  mode,
  signUpMode,
  isInvited,
  values: input,
  errors,
  onErrorsChange,
  assistantName,
  onModeChange,
  onSubmit,
  onForgotPassword,
  providers,
  onProvider,
}: {
  mode: 'sign-in' | 'create'
  signUpMode: SignUpMode
  /** opened by an invitation link */
  isInvited: boolean
  values: Input<FormValues>
  errors: FormErrors
  onErrorsChange: (errors: FormErrors) => void
  assistantName: string
  onModeChange: (mode: 'sign-in' | 'create') => void
  onSubmit: () => Promise<void>
  onForgotPassword: () => Promise<void>
  providers: readonly PublicIdentityProvider[]
  onProvider: SignInAtProvider
}) {
  const values = input.value
  const isCreating = mode === 'create'
  const title = isCreating ? t`Create account` : t`Sign in`
  const domainsHint =
    isCreating && signUpMode === 'domains' && !isInvited
      ? t`Sign-up is limited to certain e-mail domains. Use your address at one of them.`
      : undefined
  const { provider, declineProvider, passwordField } = useProviderForEmail(providers, values.email, {
    isCreating,
  })
  const form = useSubmit(async () => {
    if (provider) return onProvider(provider, values.email.trim())
    const validationErrors = validateCredentials(mode, values)
    onErrorsChange(validationErrors)
    if (Object.keys(validationErrors).length === 0) await onSubmit()
  })
  const forgotPassword = useSubmit(onForgotPassword)
  // the address stays as it was sent: the next step goes on with it
  const isBusy = form.isBusy || forgotPassword.isBusy
  return (
    <AuthForm
      title={title}
      subtitle={getSubtitle({ assistantName, isCreating, isInvited })}
      errors={errors}
      onSubmit={form.submit}
      footer={
        <ModeSwitch
          isCreating={isCreating}
          canSignUp={signUpMode !== 'closed' || isInvited}
          onModeChange={onModeChange}
        />
      }
    >
      <ProviderButtons providers={providers} onSignIn={onProvider} />
      {providers.length > 0 && <Divider />}
      {errors.form !== undefined && (
        <Callout variant="danger" error={errors.cause} action={errors.action}>
          {errors.form}
        </Callout>
      )}
      {errors.info !== undefined && <Callout variant="info">{errors.info}</Callout>}
      {isCreating && !provider && (
        <TextField
          label={t`Full name`}
          name="name"
          autoComplete="name"
          input={input.at('fullName')}
          error={errors.fullName}
          readOnly={isBusy}
        />
      )}
      <EmailField
        key="email"
        input={input.at('email')}
        error={errors.email}
        hint={provider ? describeDomainProvider(provider.label) : domainsHint}
        readOnly={isBusy}
      />
      {!provider && (
        <PasswordField
          key="password"
          ref={passwordField}
          label={t`Password`}
          name="password"
          autoComplete={isCreating ? 'new-password' : 'current-password'}
          input={input.at('password')}
          onInput={isCreating ? preloadPasswordCheck : undefined}
          error={errors.password}
          readOnly={isBusy}
          isInvalid={errors.isPasswordMissing === true}
          labelAside={
            !isCreating && <ForgotPassword busy={forgotPassword.isBusy} onClick={forgotPassword.submit} />
          }
        />
      )}
      <Button type="submit" variant="primary" size="lg" block busy={form.isBusy}>
        {provider ? <ContinueWith label={provider.label} /> : title}
      </Button>
      {provider && !isCreating && (
        <p className="text-center text-sm">
          <TextButton onClick={declineProvider}>{t`Use a password instead`}</TextButton>
        </p>
      )}
    </AuthForm>
  )
}

/**
 * The identity provider for the domain of an address, unless the user has declined it, to use a password instead.
 * @returns `passwordField` is the ref of the field that is shown then, and focused: the button that declines is gone
 */
function useProviderForEmail(
  providers: readonly PublicIdentityProvider[],
  email: string,
  { isCreating }: { isCreating: boolean },
) {
  const [declinedName, setDeclinedName] = useState<string>()
  const domainProvider = useDomainProvider(providers, email)
  // the user pool creates no account with a password for such an address
  const usesPassword = !isCreating && domainProvider?.name === declinedName
  const provider = usesPassword ? undefined : domainProvider
  const passwordField = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (declinedName !== undefined) passwordField.current?.focus()
  }, [declinedName])
  return { provider, declineProvider: () => setDeclinedName(provider?.name), passwordField }
}

function getSubtitle({
  assistantName,
  isCreating,
  isInvited,
}: {
  assistantName: string
  isCreating: boolean
  isInvited: boolean
}): string {
  if (!isCreating) return t`${assistantName} is ready when you are.`
  return isInvited
    ? t`Use the address that was invited. One minute, then ${assistantName} answers.`
    : t`One minute, then ${assistantName} answers.`
}

const ForgotPassword = (props: { busy: boolean; onClick: () => void }) => (
  <span className="text-sm font-normal">
    <TextButton {...props}>{t`Forgot your password?`}</TextButton>
  </span>
)

/** Leads from signing in to creating an account, and back. */
function ModeSwitch({
  isCreating,
  canSignUp,
  onModeChange,
}: {
  isCreating: boolean
  canSignUp: boolean
  onModeChange: (mode: 'sign-in' | 'create') => void
}) {
  if (!isCreating && !canSignUp)
    return <p>{t`New here? This site is by invitation: ask the person who runs it for a link.`}</p>
  return (
    <p>
      {isCreating ? t`Have an account?` : t`New here?`}{' '}
      <TextButton onClick={() => onModeChange(isCreating ? 'sign-in' : 'create')}>
        {isCreating ? t`Sign in` : t`Create account`}
      </TextButton>
    </p>
  )
}
