import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useRef, useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { CodeField, codeLength, isWholeCode } from '../../components/ui/code-field.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import type { AuthError, StepResult } from './auth-errors.ts'
import { AuthForm, TextButton } from './auth-form.tsx'
import { Notice } from './notice.tsx'
import { describeResend, ResendLine } from './resend-line.tsx'
import { useResend } from './use-resend.ts'
import { useSubmit } from './use-submit.ts'
import { useInput } from '../../lib/input/use-input.ts'

const createShortCodeError = (): AuthError => ({
  kind: 'other',
  field: 'code',
  userMessage: plural(
    { digits: codeLength },
    {
      one: 'Please enter the # digit of the code.',
      other: 'Please enter the # digits of the code.',
    },
  ),
})

function Instructions({
  email,
  isAccountUnknown,
  wasMailSent,
}: {
  email: string
  isAccountUnknown: boolean
  wasMailSent: boolean
}) {
  if (isAccountUnknown)
    return (
      <Trans>
        If the account for <strong className="font-medium text-ink">{email}</strong> was never confirmed, we
        sent it an e-mail. Click its link, or type its code here.
      </Trans>
    )
  return wasMailSent ? (
    <Trans>
      We sent a confirmation to <strong className="font-medium text-ink">{email}</strong>: click the link in
      the e-mail, or type its code here.
    </Trans>
  ) : (
    <Trans>
      Confirm <strong className="font-medium text-ink">{email}</strong>: click the link in the e-mail, or type
      its code here.
    </Trans>
  )
}

/** "Check your e-mail": tells the user to click the link in the e-mail, and accepts its code. */
export function ConfirmStep({
  email,
  initialCode,
  initialProblem,
  wasMailJustSent,
  isAccountUnknown,
  onConfirm,
  onResend,
  onChangeEmail,
  onBack,
}: {
  email: string
  initialCode: string
  /** the error that is shown at first */
  initialProblem: AuthError | undefined
  /** whether this page has just sent the e-mail: another one follows after a pause */
  wasMailJustSent: boolean
  /** the pool answers alike for an address without an account, so the page claims nothing */
  isAccountUnknown: boolean
  onConfirm: (code: string) => StepResult
  onResend: () => StepResult
  onChangeEmail: () => void
  onBack: () => void
}) {
  const code = useInput(useId(), { stored: initialCode, onLeave: 'forget' })
  const [problem, setProblem] = useState(initialProblem)
  const codeField = useRef<HTMLInputElement>(null)
  const mail = useResend(onResend, {
    wasJustSent: wasMailJustSent,
    onResult(failure) {
      setProblem(failure)
      if (failure) return
      code.change('')
      codeField.current?.focus()
    },
  })
  const form = useSubmit(async (value: string) => {
    mail.hideNotice()
    setProblem(!isWholeCode(value) ? createShortCodeError() : await onConfirm(value))
  })
  return (
    <AuthForm
      title={t`Check your e-mail`}
      subtitle={<Instructions email={email} isAccountUnknown={isAccountUnknown} wasMailSent={mail.wasSent} />}
      errors={problem}
      onSubmit={() => form.submit(code.value)}
      footer={
        <>
          <ResendLine pauseSeconds={mail.remainingSeconds} busy={mail.isBusy} onResend={mail.resend} />
          <p>
            {wasMailJustSent && !isAccountUnknown ? (
              <TextButton onClick={onChangeEmail}>{t`Use another e-mail address`}</TextButton>
            ) : (
              <TextButton onClick={onBack}>{t`Back to sign in`}</TextButton>
            )}
          </p>
        </>
      }
    >
      {problem && problem.field !== 'code' && (
        <Callout variant="danger" error={problem.cause}>
          {problem.userMessage}
        </Callout>
      )}
      <Notice text={mail.isNoticeShown ? describeResend({ isAccountUnknown }) : undefined} />
      <CodeField
        ref={codeField}
        label={t`Code from the e-mail`}
        input={code}
        onComplete={form.submit}
        error={problem?.field === 'code' ? problem.userMessage : undefined}
        busy={form.isBusy}
      />
      <Button type="submit" variant="primary" size="lg" block busy={form.isBusy}>
        {t`Confirm`}
      </Button>
    </AuthForm>
  )
}
