import { useId, useRef, useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { CodeField, codeLength } from '../../components/ui/code-field.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { useConfig } from '../../lib/config.ts'
import type { AuthError } from './auth-errors.ts'
import { AuthForm, TextButton } from './auth-form.tsx'
import { useCooldown } from './use-cooldown.ts'
import { useSubmit } from './use-submit.ts'
import * as texts from './page-texts.tsx'
import { useInput } from '../../lib/use-input.ts'

const resendPauseSeconds = 30

/** Result of a step: undefined when the page has moved on, otherwise the error. */
export type StepResult = Promise<AuthError | undefined>

const codeIncomplete: AuthError = {
  kind: 'other',
  field: 'code',
  userMessage: texts.codeIncomplete(codeLength),
}

/** "Check your e-mail": waits for the link in the e-mail, and accepts its code. */
export function ConfirmStep({
  email,
  initialCode,
  initialProblem,
  mailJustSent,
  onConfirm,
  onResend,
  onChangeEmail,
  onBack,
}: {
  email: string
  initialCode: string
  /** the error message that is shown at first */
  initialProblem: string | undefined
  mailJustSent: boolean
  onConfirm: (code: string) => StepResult
  onResend: () => StepResult
  onChangeEmail: () => void
  onBack: () => void
}) {
  const code = useInput(useId(), { stored: initialCode, onLeave: 'forget' })
  const [problem, setProblem] = useState<AuthError | undefined>(
    initialProblem === undefined ? undefined : { kind: 'other', field: 'form', userMessage: initialProblem },
  )
  const [wasResent, setWasResent] = useState(false)
  const [pauseSeconds, startPause] = useCooldown(resendPauseSeconds, mailJustSent)
  const codeField = useRef<HTMLInputElement>(null)
  const form = useSubmit(async (value: string) => {
    setWasResent(false)
    setProblem(value.length < codeLength ? codeIncomplete : await onConfirm(value))
  })
  const resend = useSubmit(async () => {
    const failure = await onResend()
    setProblem(failure)
    setWasResent(!failure)
    if (failure) return
    code.change('')
    startPause()
    codeField.current?.focus()
  })
  return (
    <AuthForm
      title={texts.checkEmail}
      subtitle={mailJustSent || wasResent ? texts.confirmationSent(email) : texts.confirmEmail(email)}
      errors={problem}
      onSubmit={() => form.submit(code.value)}
      footer={
        <>
          <ResendLine pauseSeconds={pauseSeconds} busy={resend.busy} onResend={resend.submit} />
          <p>
            {mailJustSent ? (
              <TextButton onClick={onChangeEmail}>{texts.otherEmail}</TextButton>
            ) : (
              <TextButton onClick={onBack}>{texts.backToSignIn}</TextButton>
            )}
          </p>
        </>
      }
    >
      {problem?.field !== 'code' && problem && <Callout variant="danger">{problem.userMessage}</Callout>}
      {wasResent && <Callout variant="info">{texts.emailResent}</Callout>}
      <CodeField
        ref={codeField}
        label={texts.codeFromEmail}
        input={code}
        onComplete={form.submit}
        error={problem?.field === 'code' ? problem.userMessage : undefined}
        disabled={form.busy}
      />
      <Button type="submit" variant="primary" size="lg" block busy={form.busy}>
        {texts.confirm}
      </Button>
    </AuthForm>
  )
}

/** Offers to send the e-mail again after a countdown. */
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
      {mailbox === undefined ? (
        <p>{texts.nothingThere}</p>
      ) : (
        <p>
          {texts.noRealEmails}{' '}
          <a href={mailbox} target="_blank" rel="noopener" className="link">
            {texts.openMailbox}
          </a>
        </p>
      )}
      <p>
        {pauseSeconds > 0 ? (
          <span className="whitespace-nowrap text-ink-faint">{texts.resendIn(pauseSeconds)}</span>
        ) : (
          <TextButton onClick={onResend} disabled={busy}>
            {texts.resend}
          </TextButton>
        )}
      </p>
    </>
  )
}
