import { useRef, useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { CodeField, codeLength } from '../../components/ui/code-field.tsx'
import { Notice } from '../../components/ui/callout.tsx'
import { useConfig } from '../../lib/config.ts'
import type { AuthError } from './auth-errors.ts'
import { AuthForm, TextButton } from './auth-form.tsx'
import { useCooldown } from './use-cooldown.ts'
import { useSubmit } from './use-submit.ts'

const resendPauseSeconds = 30

/** What a step's work answers: nothing when the page has gone on, otherwise what to show. */
export type StepResult = Promise<AuthError | undefined>

const codeIncomplete: AuthError = {
  kind: 'other',
  field: 'code',
  userMessage: `Please enter the ${codeLength} digits of the code.`,
}

/** "Check your e-mail": waits for the mailed link, and takes the mailed code as well. */
export function ConfirmStep({
  email,
  initialCode,
  firstProblem,
  mailJustSent,
  onConfirm,
  onResend,
  onChangeEmail,
  onBack,
}: {
  email: string
  initialCode: string
  /** shown from the start: why one is here */
  firstProblem: string | undefined
  mailJustSent: boolean
  onConfirm: (code: string) => StepResult
  onResend: () => StepResult
  onChangeEmail: () => void
  onBack: () => void
}) {
  const [code, setCode] = useState(initialCode)
  const [problem, setProblem] = useState<AuthError | undefined>(
    firstProblem === undefined ? undefined : { kind: 'other', field: 'form', userMessage: firstProblem },
  )
  const [wasResent, setSentAgain] = useState(false)
  const [pauseSeconds, startPause] = useCooldown(resendPauseSeconds, mailJustSent)
  const field = useRef<HTMLInputElement>(null)
  const form = useSubmit(async (value: string) => {
    setSentAgain(false)
    setProblem(value.length < codeLength ? codeIncomplete : await onConfirm(value))
  })
  const resend = useSubmit(async () => {
    const refused = await onResend()
    setProblem(refused)
    setSentAgain(!refused)
    if (refused) return
    setCode('')
    startPause()
    field.current?.focus()
  })
  return (
    <AuthForm
      title="Check your e-mail"
      subtitle={
        <>
          {mailJustSent || wasResent ? 'We sent a confirmation to ' : 'Confirm '}
          <strong className="font-medium text-ink">{email}</strong>: click the link in the e-mail, or type its
          code here.
        </>
      }
      problems={problem}
      onSubmit={() => form.submit(code)}
      footer={
        <>
          <ResendLine pauseSeconds={pauseSeconds} busy={resend.busy} onResend={resend.submit} />
          <p>
            {mailJustSent ? (
              <TextButton onClick={onChangeEmail}>Use another e-mail address</TextButton>
            ) : (
              <TextButton onClick={onBack}>Back to sign in</TextButton>
            )}
          </p>
        </>
      }
    >
      {problem?.field !== 'code' && problem && <Notice tone="danger">{problem.userMessage}</Notice>}
      {wasResent && <Notice tone="info">A new e-mail is on its way.</Notice>}
      <CodeField
        ref={field}
        label="Code from the e-mail"
        value={code}
        onChange={setCode}
        onComplete={form.submit}
        error={problem?.field === 'code' ? problem.userMessage : undefined}
        disabled={form.busy}
      />
      <Button type="submit" tone="primary" size="lg" block busy={form.busy}>
        Confirm
      </Button>
    </AuthForm>
  )
}

/** Offers the mail once more, after a pause that counts down. */
export function ResendLine({
  pauseSeconds,
  busy,
  onResend,
}: {
  pauseSeconds: number
  busy: boolean
  onResend: () => void
}) {
  const mailbox = useConfig()?.mailbox
  return (
    <>
      {mailbox !== undefined && (
        <p>
          No real e-mails are sent here.{' '}
          <a href={mailbox} target="_blank" rel="noopener" className="link">
            Open the local mailbox
          </a>
        </p>
      )}
      <p>
        Nothing in the spam folder either?{' '}
        {pauseSeconds > 0 ? (
          <span className="whitespace-nowrap text-ink-faint">Send again in {pauseSeconds} s</span>
        ) : (
          <TextButton onClick={onResend} disabled={busy}>
            Send it again
          </TextButton>
        )}
      </p>
    </>
  )
}
