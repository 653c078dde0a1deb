import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useRef, useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { CodeField, isWholeCode } from '../../components/ui/code-field.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { PasswordField } from '../../components/ui/password-field.tsx'
import type { AuthError, StepResult } from './auth-errors.ts'
import { AuthForm, TextButton } from './auth-form.tsx'
import { preloadPasswordCheck } from './check-password.ts'
import { Notice } from './notice.tsx'
import { describeResend, ResendLine } from './resend-line.tsx'
import { useResend } from './use-resend.ts'
import { useSubmit } from './use-submit.ts'
import { validateNewPassword } from './validate-credentials.ts'
import { useInput } from '../../lib/input/use-input.ts'

const linkExpired: AuthError = {
  kind: 'code-refused',
  field: 'form',
  userMessage: t`This link was already used or has expired. Send a new e-mail, then click its link or type its code.`,
}

const linkIncomplete: AuthError = {
  kind: 'other',
  field: 'form',
  userMessage: t`This link is incomplete. Type the code from the e-mail, or send a new one.`,
}

interface ResetOptions {
  /** the code from the link in the e-mail, if it was opened */
  linkCode: string | undefined
  onReset: (code: string, password: string) => StepResult
  onResend: () => StepResult
  /** sends the e-mail that confirms the address, and goes on with its code */
  onConfirmFirst: () => StepResult
}

/**
 * Sets a new password: one field if the link carried the code; otherwise, or if that code is incomplete or was rejected, with a field for the
 * code.
 */
export function ResetStep({
  email,
  wasSignedUpElsewhere,
  onBack,
  ...options
}: ResetOptions & {
  email: string
  /** the account was just confirmed, and its password may be somebody else's */
  wasSignedUpElsewhere: boolean
  onBack: () => void
}) {
  const { linkCode } = options
  const { code, codeField, password, usesLinkCode, problem, mail, form, confirmFirst } = useReset(options)
  return (
    <AuthForm
      {...describeStep({
        email,
        usesLinkCode,
        wasSignedUpElsewhere,
        wasMailSent: mail.wasSent,
      })}
      errors={problem}
      onSubmit={form.submit}
      footer={
        <>
          {!usesLinkCode && (
            <ResendLine pauseSeconds={mail.remainingSeconds} busy={mail.isBusy} onResend={mail.resend} />
          )}
          {linkCode === undefined && !wasSignedUpElsewhere && (
            <p>
              {t`An address that was never confirmed gets no such e-mail.`}{' '}
              <TextButton onClick={confirmFirst.submit} busy={confirmFirst.isBusy}>
                {t`Confirm it first`}
              </TextButton>
            </p>
          )}
          <p>
            <TextButton onClick={onBack}>{t`Back to sign in`}</TextButton>
          </p>
        </>
      }
    >
      {problem && problem.field !== 'code' && problem.field !== 'password' && (
        <Callout variant="danger" error={problem.cause}>
          {problem.userMessage}
        </Callout>
      )}
      <Notice
        text={mail.isNoticeShown ? describeResend({ isAccountUnknown: !wasSignedUpElsewhere }) : undefined}
      />
      {/* tells password managers whose password this is */}
      <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
      {!usesLinkCode && (
        <CodeField
          ref={codeField}
          label={t`Code from the e-mail`}
          input={code}
          error={problem?.field === 'code' ? problem.userMessage : undefined}
          busy={form.isBusy}
        />
      )}
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

/** The code, the new password, and what is done with them. A code that is rejected is cleared, and its field is shown. */
function useReset({ linkCode, onReset, onResend, onConfirmFirst }: ResetOptions) {
  // mail programs can cut a link off
  const isLinkIncomplete = linkCode !== undefined && !isWholeCode(linkCode)
  /** the code is the link's: there is no field for it */
  const [usesLinkCode, setUsesLinkCode] = useState(linkCode !== undefined && !isLinkIncomplete)
  const code = useInput(useId(), { stored: isLinkIncomplete ? '' : (linkCode ?? ''), onLeave: 'forget' })
  const password = useInput(useId(), { onLeave: 'forget' })
  const [problem, setProblem] = useState(isLinkIncomplete ? linkIncomplete : undefined)
  const codeField = useRef<HTMLInputElement>(null)
  const mail = useResend(onResend, {
    wasJustSent: linkCode === undefined,
    onResult(failure) {
      setProblem(failure)
      if (!failure) codeField.current?.focus()
    },
  })
  const form = useSubmit(async () => {
    mail.hideNotice()
    const failure = validateReset(code.value, password.value) ?? (await onReset(code.value, password.value))
    setProblem(
      usesLinkCode && failure?.kind === 'code-refused' ? { ...linkExpired, cause: failure.cause } : failure,
    )
    if (failure?.kind !== 'code-refused') return
    setUsesLinkCode(false)
    code.change('')
  })
  const confirmFirst = useSubmit(async () => setProblem(await onConfirmFirst()))
  return { code, codeField, password, usesLinkCode, problem, mail, form, confirmFirst }
}

/** The title of the step, and why the user is asked. */
function describeStep({
  email,
  usesLinkCode,
  wasSignedUpElsewhere,
  wasMailSent,
}: {
  email: string
  usesLinkCode: boolean
  wasSignedUpElsewhere: boolean
  wasMailSent: boolean
}) {
  if (usesLinkCode)
    return {
      title: t`Choose a new password`,
      subtitle: (
        <Trans>
          For <strong className="font-medium text-ink">{email}</strong>.
        </Trans>
      ),
    }
  if (wasSignedUpElsewhere)
    return {
      title: t`Choose a password`,
      subtitle: (
        <Trans>
          Your e-mail address is confirmed. This account was created in another browser, so please choose a
          password of your own: we sent a second e-mail to{' '}
          <strong className="font-medium text-ink">{email}</strong>. Click its link, or type its code here.
        </Trans>
      ),
    }
  return {
    title: t`Check your e-mail`,
    subtitle: wasMailSent ? (
      <Trans>
        If there is an account for <strong className="font-medium text-ink">{email}</strong>, we sent it an
        e-mail. Click its link, or type its code here.
      </Trans>
    ) : (
      <Trans>
        The new password is for <strong className="font-medium text-ink">{email}</strong>.
      </Trans>
    ),
  }
}

function validateReset(code: string, password: string): AuthError | undefined {
  const missing: AuthError = {
    kind: 'other',
    field: 'code',
    userMessage: t`Please fill in all required fields`,
  }
  if (!isWholeCode(code)) return missing
  const userMessage = validateNewPassword(password)
  return userMessage === undefined ? undefined : { kind: 'other', field: 'password', userMessage }
}
