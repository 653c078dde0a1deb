import { useRef, useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { CodeField, codeLength } from '../../components/ui/code-field.tsx'
import { Callout } from '../../components/ui/callout.tsx'
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
 * Sets a new password: one field if the link carried the code; otherwise, or once that code was rejected,
 * with a field for the code.
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
  /** from the link in the e-mail */
  linkCode: string | undefined
  /** the account was just confirmed, and nobody knows its password */
  isFirst: boolean
  onReset: (code: string, password: string) => StepResult
  onResend: () => StepResult
  onBack: () => void
}) {
  const [fromLink, setFromLink] = useState(linkCode !== undefined)
  const [code, setCode] = useState(linkCode ?? '')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<AuthError>()
  const [wasResent, setWasResent] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const [pauseSeconds, startPause] = useCooldown(resendPauseSeconds, !fromLink)
  const form = useSubmit(async () => {
    setWasResent(false)
    const refused = validateReset(code, password) ?? (await onReset(code, password))
    setProblem(fromLink && refused?.kind === 'code-refused' ? linkExpired : refused)
    if (refused?.kind !== 'code-refused') return
    setFromLink(false)
    setCode('')
  })
  const resend = useSubmit(async () => {
    const refused = await onResend()
    setProblem(refused)
    setWasResent(!refused)
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
          {!fromLink && (
            <ResendLine pauseSeconds={pauseSeconds} busy={resend.busy} onResend={resend.submit} />
          )}
          <p>
            <TextButton onClick={onBack}>Back to sign in</TextButton>
          </p>
        </>
      }
    >
      {problem && problem.field !== 'code' && problem.field !== 'password' && (
        <Callout variant="danger">{problem.userMessage}</Callout>
      )}
      {wasResent && <Callout variant="info">A new e-mail is on its way.</Callout>}
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
      <Button type="submit" variant="primary" size="lg" block busy={form.busy}>
        Set new password
      </Button>
    </AuthForm>
  )
}

function validateReset(code: string, password: string): AuthError | undefined {
  const field = code.length < codeLength ? 'code' : password === '' ? 'password' : undefined
  return field && { kind: 'other', field, userMessage: authSentences.requiredFields }
}
