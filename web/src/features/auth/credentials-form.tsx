import type { SignUpMode } from '#shared/sign-up-policy.ts'
import { Button } from '../../components/ui/button.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { PasswordField } from '../../components/ui/password-field.tsx'
import { AuthForm, TextButton } from './auth-form.tsx'
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
  /** marks the password too; the message is at the first field */
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

/** Sign-in and sign-up in one form, so that nothing typed is lost between the two. */
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
      title={isCreating ? texts.createAccount : texts.signIn}
      subtitle={
        isCreating
          ? isInvited
            ? texts.invitedHint(assistantName)
            : texts.createHint(assistantName)
          : texts.signInHint
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
      <GoogleButton busy={google.busy} onClick={google.submit} />
      <div className="flex items-center gap-3 text-sm text-ink-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {texts.or}
      </div>
      {problems.form !== undefined && (
        <Callout variant="danger" action={problems.action}>
          {problems.form}
        </Callout>
      )}
      {problems.info !== undefined && <Callout variant="info">{problems.info}</Callout>}
      {isCreating && (
        <TextField
          label={texts.fullName}
          name="name"
          autoComplete="name"
          value={values.fullName}
          onChange={(event) => onValuesChange({ ...values, fullName: event.target.value })}
          error={problems.fullName}
        />
      )}
      <TextField
        key="email"
        label={texts.email}
        type="email"
        name="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={values.email}
        onChange={(event) => onValuesChange({ ...values, email: event.target.value })}
        error={problems.email}
        hint={isCreating && signUp === 'domains' && !isInvited ? texts.domainHint : undefined}
      />
      <PasswordField
        key="password"
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
      <Button type="submit" variant="primary" size="lg" block busy={form.busy}>
        {isCreating ? texts.createAccount : texts.signIn}
      </Button>
    </AuthForm>
  )
}

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
      {texts.google}
    </Button>
  )
}
