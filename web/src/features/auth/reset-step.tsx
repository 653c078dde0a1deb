import { useRef, useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { CodeField, codeLength } from '../../components/ui/code-field.tsx'
import { Notice } from '../../components/ui/callout.tsx'
import { PasswordField } from '../../components/ui/password-field.tsx'
import { authSentences, type AuthError } from './auth-errors.ts'
import { AuthForm, TextButton } from './auth-form.tsx'
import { ResendLine, type StepResult } from './confirm-step.tsx'
import { useCooldown } from './use-cooldown.ts'
import { useSubmit } from './use-submit.ts'

const resendPauseSeconds = 30

const linkExpired: AuthError = {
  kind: 'code-refused',
  field: 'form',
  userMessage:
    'This link was already used or has expired. Send a new e-mail, then click its link or type its code.',
}

/**
 * Sets a new password (DEC-026): one field when the mailed link brought the code, with the typed code above it otherwise,
 * and also once the link's code was refused.
 */
export function ResetStep({
  email,
  linkCode,
  isFirst,
  onReset,
  onResend,
  onBack,
}: {
  email: string
  /** from the mailed link */
  linkCode: string | undefined
  /** the account was confirmed a moment ago, and has no password that anybody knows */
  isFirst: boolean
  onReset: (code: string, password: string) => StepResult
  onResend: () => StepResult
  onBack: () => void
}) {
  const [fromLink, setFromLink] = useState(linkCode !== undefined)
  const [code, setCode] = useState(linkCode ?? '')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<AuthError>()
  const [wasResent, setSentAgain] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const [pauseSeconds, startPause] = useCooldown(resendPauseSeconds, !fromLink)
  const form = useSubmit(async () => {
    setSentAgain(false)
    const refused = validateReset(code, password) ?? (await onReset(code, password))
    setProblem(fromLink && refused?.kind === 'code-refused' ? linkExpired : refused)
    if (refused?.kind !== 'code-refused') return
    setFromLink(false)
    setCode('')
  })
  const resend = useSubmit(async () => {
    const refused = await onResend()
    setProblem(refused)
    setSentAgain(!refused)
    if (refused) return
    startPause()
    field.current?.focus()
  })
  return (
    <AuthForm
      title={fromLink ? 'Choose a new password' : isFirst ? 'Choose a password' : 'Check your e-mail'}
      subtitle={
        fromLink ? (
          <>
            For <strong className="font-medium text-ink">{email}</strong>.
          </>
        ) : isFirst ? (
          <>
            Your e-mail address is confirmed. This account was created in another browser, so please choose a
            password of your own: we sent a second e-mail to{' '}
            <strong className="font-medium text-ink">{email}</strong>. Click its link, or type its code here.
          </>
        ) : linkCode !== undefined && !wasResent ? (
          <>
            The new password is for <strong className="font-medium text-ink">{email}</strong>.
          </>
        ) : (
          <>
            If there is an account for <strong className="font-medium text-ink">{email}</strong>, we sent it
            an e-mail. Click its link, or type its code here.
          </>
        )
      }
      problems={problem}
      onSubmit={form.submit}
      footer={
        <>
          {!fromLink && <ResendLine pauseSeconds={pauseSeconds} busy={resend.busy} onResend={resend.submit} />}
          <p>
            <TextButton onClick={onBack}>Back to sign in</TextButton>
          </p>
        </>
      }
    >
      {problem && problem.field !== 'code' && problem.field !== 'password' && (
        <Notice tone="danger">{problem.userMessage}</Notice>
      )}
      {wasResent && <Notice tone="info">A new e-mail is on its way.</Notice>}
      {/* tells password managers whose password this is */}
      <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
      {!fromLink && (
        <CodeField
          ref={field}
          label="Code from the e-mail"
          value={code}
          onChange={setCode}
          error={problem?.field === 'code' ? problem.userMessage : undefined}
          disabled={form.busy}
        />
      )}
      <PasswordField
        label="New password"
        name="password"
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={problem?.field === 'password' ? problem.userMessage : undefined}
      />
      <Button type="submit" tone="primary" size="lg" block busy={form.busy}>
        Set new password
      </Button>
    </AuthForm>
  )
}

function validateReset(code: string, password: string): AuthError | undefined {
  const field = code.length < codeLength ? 'code' : password === '' ? 'password' : undefined
  return field && { kind: 'other', field, userMessage: authSentences.requiredFields }
}
