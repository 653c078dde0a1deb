import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { PasswordField } from '../../components/ui/password-field.tsx'
import { useInput } from '../../lib/input/use-input.ts'
import type { AuthError, StepResult } from './auth-errors.ts'
import { AuthForm, TextButton } from './auth-form.tsx'
import { preloadPasswordCheck } from './check-password.ts'
import { useSubmit } from './use-submit.ts'
import { validateNewPassword } from './validate-credentials.ts'

/** Replaces the temporary password of an account that somebody has created for the user. */
export function NewPasswordStep({
  email,
  onSubmit,
  onBack,
}: {
  email: string
  onSubmit: (password: string) => StepResult
  onBack: () => void
}) {
  const password = useInput(useId(), { onLeave: 'forget' })
  const [problem, setProblem] = useState<AuthError>()
  const form = useSubmit(async () => {
    const invalid = validateNewPassword(password.value)
    setProblem(
      invalid === undefined
        ? await onSubmit(password.value)
        : { kind: 'other', field: 'password', userMessage: invalid },
    )
  })
  return (
    <AuthForm
      title={t`Choose a new password`}
      subtitle={
        <Trans>
          For <strong className="font-medium text-ink">{email}</strong>.
        </Trans>
      }
      errors={problem}
      onSubmit={form.submit}
      footer={
        <p>
          <TextButton onClick={onBack} busy={form.isBusy}>{t`Back to sign in`}</TextButton>
        </p>
      }
    >
      {problem && problem.field !== 'password' && (
        <Callout variant="danger" error={problem.cause}>
          {problem.userMessage}
        </Callout>
      )}
      {/* tells password managers whose password this is */}
      <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
      <PasswordField
        label={t`New password`}
        name="password"
        autoComplete="new-password"
        input={password}
        onInput={preloadPasswordCheck}
        error={problem?.field === 'password' ? problem.userMessage : undefined}
      />
      <Button type="submit" variant="primary" size="lg" block busy={form.isBusy}>
        {t`Set new password`}
      </Button>
    </AuthForm>
  )
}
