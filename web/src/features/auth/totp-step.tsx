import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { SecondFactorField, useSecondFactorCode, validateCode } from '../../components/second-factor-code.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import type { AuthError, StepResult } from './auth-errors.ts'
import { AuthForm, TextButton } from './auth-form.tsx'
import { waitingForNextCode } from './backup-code.ts'
import { Notice } from './notice.tsx'
import { useSubmit } from './use-submit.ts'

/**
 * The second step of a sign-in: a TOTP code or a backup code. A code works once, so a rejected one is cleared.
 */
export function TotpStep({
  onVerify,
  onBackupCode,
  isWaitingForNextCode,
  onCancel,
}: {
  onVerify: (code: string) => StepResult
  onBackupCode: (code: string) => StepResult
  /** all current codes were used; waiting for the next one */
  isWaitingForNextCode: boolean
  onCancel: () => void
}) {
  const secondFactorCode = useSecondFactorCode()
  const { isBackupCode, code, clear } = secondFactorCode
  const [problem, setProblem] = useState<AuthError>()
  const form = useSubmit(async (value: string) => {
    const validationError = validateCode(value, { isBackupCode })
    const failure: AuthError | undefined =
      validationError === undefined
        ? await (isBackupCode ? onBackupCode : onVerify)(value)
        : { kind: 'other', field: 'code', userMessage: validationError }
    setProblem(failure)
    if (failure?.kind === 'code-refused' || failure?.kind === 'code-used') clear()
  })
  const switchKind = () => {
    secondFactorCode.toggleKind()
    setProblem(undefined)
  }
  const error = problem?.field === 'code' ? problem.userMessage : undefined
  return (
    <AuthForm
      title={isBackupCode ? t`Use a backup code` : t`Enter your code`}
      subtitle={
        isBackupCode
          ? t`One of the ten codes you saved when you set two-factor up. Each works once.`
          : t`The six digits from your authenticator app.`
      }
      errors={problem}
      onSubmit={() => form.submit(code)}
      footer={
        <p>
          {isBackupCode ? t`Have your app at hand?` : t`Can’t use your app?`}{' '}
          <TextButton onClick={switchKind} busy={form.isBusy}>
            {isBackupCode ? t`Use the app’s code` : t`Use a backup code`}
          </TextButton>
        </p>
      }
    >
      {problem && problem.field !== 'code' && (
        <Callout variant="danger" error={problem.cause}>
          {problem.userMessage}
        </Callout>
      )}
      <Notice text={isWaitingForNextCode ? waitingForNextCode : undefined} />
      <SecondFactorField
        secondFactorCode={secondFactorCode}
        error={error}
        busy={form.isBusy}
        onComplete={form.submit}
      />
      <div className="grid gap-2">
        <Button
          type="submit"
          variant="primary"
          size="lg"
          block
          busy={form.isBusy}
          disabled={!secondFactorCode.isComplete}
        >
          {t`Verify`}
        </Button>
        {/* Cancel cannot stop a code that was sent already */}
        <Button
          variant="ghost"
          size="lg"
          block
          disabled={form.isBusy && !isWaitingForNextCode}
          onClick={onCancel}
        >
          {t`Cancel`}
        </Button>
      </div>
    </AuthForm>
  )
}
