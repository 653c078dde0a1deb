import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { FactorCodeField, useFactorCode, codeProblem } from '../../components/second-factor-code.tsx'
import { Notice } from '../../components/ui/callout.tsx'
import type { AuthError } from './auth-errors.ts'
import { AuthForm, TextButton } from './auth-form.tsx'
import type { StepResult } from './confirm-step.tsx'
import { useSubmit } from './use-submit.ts'

/**
 * The second step of a sign-in: a code of the authenticator app, or a backup code in its place (MFA-02 to MFA-11). A code
 * works once, so a refused one is cleared.
 */
export function TotpStep({
  onVerify,
  onBackupCode,
  awaitingCode,
  onCancel,
}: {
  onVerify: (code: string) => StepResult
  onBackupCode: (code: string) => StepResult
  /** the codes of this moment were all used, the next one is waited for */
  awaitingCode: boolean
  onCancel: () => void
}) {
  const factor = useFactorCode()
  const { backup, code, setCode } = factor
  const [problem, setProblem] = useState<AuthError>()
  const form = useSubmit(async (value: string) => {
    const sentence = codeProblem(value, backup)
    const refused: AuthError | undefined =
      sentence === undefined
        ? await (backup ? onBackupCode : onVerify)(value)
        : { kind: 'other', field: 'code', userMessage: sentence }
    setProblem(refused)
    if (refused?.kind === 'code-refused' || refused?.kind === 'code-used') setCode('')
  })
  const change = () => {
    factor.change()
    setProblem(undefined)
  }
  const error = problem?.field === 'code' ? problem.userMessage : undefined
  return (
    <AuthForm
      title={backup ? 'Use a backup code' : 'Enter your code'}
      subtitle={
        backup
          ? 'One of the ten codes you saved when you set two-factor up. Each works once.'
          : 'The six digits from your authenticator app.'
      }
      problems={problem}
      onSubmit={() => form.submit(code)}
      footer={
        <p>
          {backup ? 'App at hand after all? ' : 'App not at hand? '}
          <TextButton onClick={change} disabled={form.busy}>
            {backup ? 'Use its code' : 'Use a backup code'}
          </TextButton>
        </p>
      }
    >
      {problem && problem.field !== 'code' && <Notice tone="danger">{problem.userMessage}</Notice>}
      {awaitingCode && (
        <Notice tone="info">You signed in a moment ago. One moment until the next code counts…</Notice>
      )}
      <FactorCodeField factor={factor} error={error} disabled={form.busy} onComplete={form.submit} />
      <div className="grid gap-2">
        <Button type="submit" tone="primary" size="lg" block busy={form.busy} disabled={!factor.ready}>
          Verify
        </Button>
        <Button tone="ghost" size="lg" block onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </AuthForm>
  )
}
