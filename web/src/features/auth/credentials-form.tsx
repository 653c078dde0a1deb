import { useEffect, useRef, useState } from 'react'
import type { PublicIdentityProvider } from '#shared/identity-providers.ts'
import type { SignUpMode } from '#shared/sign-up-policy.ts'
import { Button } from '../../components/ui/button.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { PasswordField } from '../../components/ui/password-field.tsx'
import { AuthForm, TextButton } from './auth-form.tsx'
import { EmailField } from './email-field.tsx'
import { ContinueWith, ProviderButtons, type SignInAtProvider } from './provider-buttons.tsx'
import { useDomainProvider } from './use-domain-provider.ts'
import { useSubmit } from './use-submit.ts'
import * as errorTexts from './error-texts.ts'
import * as texts from './page-texts.tsx'

/** The values of the form; they survive a change of the step. */
export interface FormValues {
  fullName: string
  email: string
  password: string
}

/** Errors by field; `form` concerns the whole form. */
export interface FormErrors {
  fullName?: string
  email?: string
  password?: string
  /** also marks the password as invalid; the message is at the e-mail field */
  isPasswordMissing?: boolean
  form?: string
  /** an action that helps */
  action?: { label: string; onClick: () => void }
  /** information that is not an error */
  info?: string
}

const emailPattern = /^[^\s@]+@[^\s@]+$/

/**
 * Validates that the fields are filled. The password policy is checked by the service.
 * @returns an empty object when there are no errors
 */
function validateCredentials(
  mode: 'sign-in' | 'create',
  { fullName, email, password }: FormValues,
): FormErrors {
  const problems: FormErrors = {}
  if (mode === 'create' && fullName.trim() === '') problems.fullName = errorTexts.fullNameRequired
  if (email.trim() === '') {
    problems.email = errorTexts.requiredFields
    if (password === '') problems.isPasswordMissing = true
  } else if (password === '') problems.password = errorTexts.requiredFields
  else if (!emailPattern.test(email.trim())) problems.email = errorTexts.emailInvalid
  return problems
}

/**
 * Sign-in and sign-up in one form, so that nothing typed is lost between the two. As soon as the address is at the domain of an identity
 * provider, the form continues there; users who already have a password may still use it.
 */
export function CredentialsForm({
  mode,
  signUp,
  isInvited,
  values,
  onValuesChange,
  problems,
  onErrorsChange,
  assistantName,
  onModeChange,
  onSubmit,
  onForgotPassword,
  providers,
  onProvider,
}: {
  mode: 'sign-in' | 'create'
  signUp: SignUpMode
  /** opened by an invitation link */
  isInvited: boolean
  values: FormValues
  onValuesChange: (values: FormValues) => void
  problems: FormErrors
  onErrorsChange: (problems: FormErrors) => void
  assistantName: string
  onModeChange: (mode: 'sign-in' | 'create') => void
  onSubmit: () => Promise<void>
  onForgotPassword: () => Promise<void>
  providers: readonly PublicIdentityProvider[]
  onProvider: SignInAtProvider
}) {
  const isCreating = mode === 'create'
  /** the name of the provider instead of which the user wants to use a password */
  const [passwordInsteadOf, setPasswordInsteadOf] = useState<string>()
  const domainProvider = useDomainProvider(providers, values.email)
  // the user pool creates no account with a password for such an address
  const usesPassword = !isCreating && domainProvider?.name === passwordInsteadOf
  const provider = usesPassword ? undefined : domainProvider
  const form = useSubmit(async () => {
    if (provider) return onProvider(provider, values.email.trim())
    const missing = validateCredentials(mode, values)
    onErrorsChange(missing)
    if (Object.keys(missing).length === 0) await onSubmit()
  })
  const passwordField = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // the field replaces the button that had the focus
    if (passwordInsteadOf !== undefined) passwordField.current?.focus()
  }, [passwordInsteadOf])
  const forgot = useSubmit(onForgotPassword)
  return (
    <AuthForm
      title={isCreating ? texts.createAccount : texts.signIn}
      subtitle={
        isCreating
          ? isInvited
            ? texts.invitedHint(assistantName)
            : texts.createHint(assistantName)
          : texts.signInHint(assistantName)
      }
      problems={problems}
      onSubmit={form.submit}
      footer={
        isCreating || signUp !== 'closed' || isInvited ? (
          <p>
            {isCreating ? texts.haveAccount : texts.newHere}{' '}
            <TextButton onClick={() => onModeChange(isCreating ? 'sign-in' : 'create')}>
              {isCreating ? texts.signIn : texts.createAccount}
            </TextButton>
          </p>
        ) : (
          <p>{texts.byInvitation}</p>
        )
      }
    >
      <ProviderButtons providers={providers} onSignIn={onProvider} />
      {providers.length > 0 && <Divider />}
      {problems.form !== undefined && (
        <Callout variant="danger" action={problems.action}>
          {problems.form}
        </Callout>
      )}
      {problems.info !== undefined && <Callout variant="info">{problems.info}</Callout>}
      {isCreating && !provider && (
        <TextField
          label={texts.fullName}
          name="name"
          autoComplete="name"
          value={values.fullName}
          onChange={(event) => onValuesChange({ ...values, fullName: event.target.value })}
          error={problems.fullName}
        />
      )}
      <EmailField
        key="email"
        value={values.email}
        onChange={(email) => onValuesChange({ ...values, email })}
        error={problems.email}
        hint={
          provider
            ? texts.providerHint(provider.label)
            : isCreating && signUp === 'domains' && !isInvited
              ? texts.domainHint
              : undefined
        }
      />
      {!provider && (
        <PasswordField
          key="password"
          ref={passwordField}
          label={texts.password}
          name="password"
          autoComplete={isCreating ? 'new-password' : 'current-password'}
          value={values.password}
          onChange={(event) => onValuesChange({ ...values, password: event.target.value })}
          error={problems.password}
          isInvalid={problems.isPasswordMissing === true}
          labelAside={
            !isCreating && (
              <span className="text-sm font-normal">
                <TextButton onClick={forgot.submit} disabled={forgot.busy}>
                  {texts.forgotPassword}
                </TextButton>
              </span>
            )
          }
        />
      )}
      <Button type="submit" variant="primary" size="lg" block busy={form.busy}>
        {provider ? <ContinueWith label={provider.label} /> : isCreating ? texts.createAccount : texts.signIn}
      </Button>
      {provider && !isCreating && (
        <p className="text-center text-sm">
          <TextButton onClick={() => setPasswordInsteadOf(provider.name)}>{texts.usePassword}</TextButton>
        </p>
      )}
    </AuthForm>
  )
}

/** The word "or" between two lines. */
export const Divider = () => (
  <div className="flex items-center gap-3 text-sm text-ink-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
    {texts.or}
  </div>
)
