import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { SecondFactorField, useSecondFactorCode, validateCode } from '../../components/second-factor-code.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import type { AuthError } from './auth-errors.ts'
import { AuthForm, TextButton } from './auth-form.tsx'
import type { StepResult } from './confirm-step.tsx'
import { useSubmit } from './use-submit.ts'
import * as commonTexts from '../../components/texts.ts'
import * as texts from './page-texts.tsx'

/**
 * The second step of a sign-in: a TOTP code or a backup code. A code works once, so a rejected one is
 * cleared.
 */
export function TotpStep({
  onVerify,
  onBackupCode,
  awaitingCode,
  onCancel,
}: {
  onVerify: (code: string) => StepResult
  onBackupCode: (code: string) => StepResult
  /** all current codes were used; waiting for the next one */
  awaitingCode: boolean
  onCancel: () => void
}) {
  const factor = useSecondFactorCode()
  const { isBackupCode: backup, code, setCode } = factor
  const [problem, setProblem] = useState<AuthError>()
  const form = useSubmit(async (value: string) => {
    const sentence = validateCode(value, backup)
    const refused: AuthError | undefined =
      sentence === undefined
        ? await (backup ? onBackupCode : onVerify)(value)
        : { kind: 'other', field: 'code', userMessage: sentence }
    setProblem(refused)
    if (refused?.kind === 'code-refused' || refused?.kind === 'code-used') setCode('')
  })
  const change = () => {
    factor.toggleKind()
    setProblem(undefined)
  }
  const error = problem?.field === 'code' ? problem.userMessage : undefined
  return (
    <AuthForm
      title={backup ? commonTexts.backupCodeInstead : texts.enterCode}
      subtitle={backup ? texts.backupCodeHint : texts.codeHint}
      problems={problem}
      onSubmit={() => form.submit(code)}
      footer={
        <p>
          {backup ? texts.haveApp : texts.noApp}{' '}
          <TextButton onClick={change} disabled={form.busy}>
            {backup ? texts.useItsCode : commonTexts.backupCodeInstead}
          </TextButton>
        </p>
      }
    >
      {problem && problem.field !== 'code' && <Callout variant="danger">{problem.userMessage}</Callout>}
      {awaitingCode && <Callout variant="info">{texts.waitingForCode}</Callout>}
      <SecondFactorField factor={factor} error={error} disabled={form.busy} onComplete={form.submit} />
      <div className="grid gap-2">
        <Button
          type="submit"
          variant="primary"
          size="lg"
          block
          busy={form.busy}
          disabled={!factor.isComplete}
        >
          {texts.verify}
        </Button>
        {/* a code that is on its way signs in, whatever is pressed */}
        <Button variant="ghost" size="lg" block disabled={form.busy && !awaitingCode} onClick={onCancel}>
          {commonTexts.cancel}
        </Button>
      </div>
    </AuthForm>
  )
}
