import type { SignUpMode } from '#shared/sign-up-policy.ts'
import { Button } from '../../components/ui/button.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { Notice } from '../../components/ui/callout.tsx'
import { PasswordField } from '../../components/ui/password-field.tsx'
import { authSentences } from './auth-errors.ts'
import { AuthForm, TextButton } from './auth-form.tsx'
import { useSubmit } from './use-submit.ts'

/** What one has typed; kept while one goes from step to step. */
export interface FormValues {
  fullName: string
  email: string
  password: string
}

/** What is wrong, by field; `form` is about the whole. */
export interface FormErrors {
  fullName?: string
  email?: string
  password?: string
  /** both are marked, the sentence stands at the first */
  isPasswordMissing?: boolean
  form?: string
  /** what can be done about it */
  action?: { label: string; onClick: () => void }
  /** no problem, but worth knowing */
  info?: string
}

const domainHint = 'Accounts here are for certain e-mail domains: use your address there.'
const emailPattern = /^[^\s@]+@[^\s@]+$/

/**
 * What must be there before anything is sent (AUTH-08, AUTH-09). The rules for a password are the service's own (DEC-032).
 * @returns an empty object when nothing is wrong
 */
function validateCredentials(mode: 'sign-in' | 'create', { fullName, email, password }: FormValues): FormErrors {
  const problems: FormErrors = {}
  if (mode === 'create' && fullName.trim() === '') problems.fullName = authSentences.fullNameRequired
  if (email.trim() === '') {
    problems.email = authSentences.requiredFields
    if (password === '') problems.isPasswordMissing = true
  } else if (password === '') problems.password = authSentences.requiredFields
  else if (!emailPattern.test(email.trim())) problems.email = authSentences.emailInvalid
  return problems
}

/** Sign in and create account: one form, so that nothing typed is lost between the two (AUTH-01 to AUTH-10). */
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
  onGoogle,
}: {
  mode: 'sign-in' | 'create'
  signUp: SignUpMode
  /** came by the link of an invitation */
  isInvited: boolean
  values: FormValues
  onValuesChange: (values: FormValues) => void
  problems: FormErrors
  onErrorsChange: (problems: FormErrors) => void
  assistantName: string
  onModeChange: (mode: 'sign-in' | 'create') => void
  onSubmit: () => Promise<void>
  onForgotPassword: () => Promise<void>
  onGoogle: () => Promise<void>
}) {
  const isCreating = mode === 'create'
  const form = useSubmit(async () => {
    const missing = validateCredentials(mode, values)
    onErrorsChange(missing)
    if (Object.keys(missing).length === 0) await onSubmit()
  })
  const forgot = useSubmit(onForgotPassword)
  const google = useSubmit(onGoogle)
  return (
    <AuthForm
      title={isCreating ? 'Create account' : 'Sign in'}
      subtitle={
        isCreating
          ? `${isInvited ? 'Use the address that was invited. ' : ''}One minute, then ${assistantName} answers.`
          : 'Good to have you back.'
      }
      problems={problems}
      onSubmit={form.submit}
      footer={
        isCreating || signUp !== 'closed' || isInvited ? (
          <p>
            {isCreating ? 'Have an account? ' : 'New here? '}
            <TextButton onClick={() => onModeChange(isCreating ? 'sign-in' : 'create')}>
              {isCreating ? 'Sign in' : 'Create account'}
            </TextButton>
          </p>
        ) : (
          <p>New here? This site is by invitation: ask the person who runs it for a link.</p>
        )
      }
    >
      <GoogleButton busy={google.busy} onClick={google.submit} />
      <div className="flex items-center gap-3 text-sm text-ink-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </div>
      {problems.form !== undefined && (
        <Notice tone="danger" action={problems.action}>
          {problems.form}
        </Notice>
      )}
      {problems.info !== undefined && <Notice tone="info">{problems.info}</Notice>}
      {isCreating && (
        <TextField
          label="Full name"
          name="name"
          autoComplete="name"
          value={values.fullName}
          onChange={(event) => onValuesChange({ ...values, fullName: event.target.value })}
          error={problems.fullName}
        />
      )}
      <TextField
        key="email"
        label="E-mail"
        type="email"
        name="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={values.email}
        onChange={(event) => onValuesChange({ ...values, email: event.target.value })}
        error={problems.email}
        hint={isCreating && signUp === 'domains' && !isInvited ? domainHint : undefined}
      />
      <PasswordField
        key="password"
        label="Password"
        name="password"
        autoComplete={isCreating ? 'new-password' : 'current-password'}
        value={values.password}
        onChange={(event) => onValuesChange({ ...values, password: event.target.value })}
        error={problems.password}
        invalid={problems.isPasswordMissing === true}
        labelAside={
          !isCreating && (
            <span className="text-sm font-normal">
              <TextButton onClick={forgot.submit} disabled={forgot.busy}>
                Forgot your password?
              </TextButton>
            </span>
          )
        }
      />
      <Button type="submit" tone="primary" size="lg" block busy={form.busy}>
        {isCreating ? 'Create account' : 'Sign in'}
      </Button>
    </AuthForm>
  )
}

/** 'Continue with Google' (AUTH-03, DEC-030). */
export function GoogleButton({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  return (
    <Button size="lg" block busy={busy} onClick={onClick}>
      <svg
        aria-hidden
        viewBox="0 0 24 24"
        width={20}
        height={20}
        fill="none"
        strokeWidth={4}
        className="-ml-0.5"
      >
        <path d="M18.6 6.6A8.9 8.9 0 0 0 5 6.5" stroke="#EA4335" transform="translate(0 .6)" />
        <path d="M4.8 7.3a9 9 0 0 0 0 9.6" stroke="#FBBC05" />
        <path d="M4.9 17a8.9 8.9 0 0 0 12.3 2.3" stroke="#34A853" />
        <path d="M17 19.4A8.9 8.9 0 0 0 20.9 12H12.2" stroke="#4285F4" />
      </svg>
      Continue with Google
    </Button>
  )
}
