import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { CodeField, codeLength } from '../../components/ui/code-field.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { Notice } from '../../components/ui/notice.tsx'
import { backupCodeInput, codeProblem } from '../../lib/two-factor-code.ts'
import type { AuthProblem } from './auth-errors.ts'
import { AuthForm, TextButton } from './auth-form.tsx'
import type { StepResult } from './code-step.tsx'
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
  const [backup, setBackup] = useState(false)
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<AuthProblem>()
  const form = useSubmit(async (value: string) => {
    const sentence = codeProblem(value, backup)
    const refused: AuthProblem | undefined =
      sentence === undefined
        ? await (backup ? onBackupCode : onVerify)(value)
        : { kind: 'other', field: 'code', sentence }
    setProblem(refused)
    if (refused?.kind === 'code-refused' || refused?.kind === 'code-used') setCode('')
  })
  const change = () => {
    setBackup(!backup)
    setCode('')
    setProblem(undefined)
  }
  const error = problem?.field === 'code' ? problem.sentence : undefined
  return (
    <AuthForm
      title={backup ? 'Use a backup code' : 'Enter your code'}
      lede={
        backup
          ? 'One of the ten codes you saved when you set two-factor up. Each works once.'
          : 'The six digits from your authenticator app.'
      }
      problems={problem}
      onSubmit={() => form.submit(code)}
      below={
        <p>
          {backup ? 'App at hand after all? ' : 'App not at hand? '}
          <TextButton onClick={change} disabled={form.busy}>
            {backup ? 'Use its code' : 'Use a backup code'}
          </TextButton>
        </p>
      }
    >
      {problem && problem.field !== 'code' && <Notice tone="danger">{problem.sentence}</Notice>}
      {awaitingCode && (
        <Notice tone="info">You signed in a moment ago. One moment until the next code counts…</Notice>
      )}
      {backup ? (
        <TextField
          key="backup"
          label="Backup code"
          name="backup-code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="font-mono tracking-wider"
          value={code}
          onChange={(event) => setCode(backupCodeInput(event.target.value))}
          readOnly={form.busy}
          error={error}
        />
      ) : (
        <CodeField
          key="app"
          label="Verification code"
          value={code}
          onChange={setCode}
          onComplete={form.submit}
          error={error}
          disabled={form.busy}
        />
      )}
      <div className="grid gap-2">
        <Button
          type="submit"
          tone="primary"
          size="lg"
          block
          busy={form.busy}
          disabled={backup ? code === '' : code.length < codeLength}
        >
          Verify
        </Button>
        <Button tone="ghost" size="lg" block onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </AuthForm>
  )
}
