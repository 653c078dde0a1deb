import { useId, useRef, useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { CodeField, codeLength } from '../../components/ui/code-field.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { PasswordField } from '../../components/ui/password-field.tsx'
import type { AuthError } from './auth-errors.ts'
import { AuthForm, TextButton } from './auth-form.tsx'
import { preloadPasswordCheck } from './check-password.ts'
import { ResendLine, type StepResult } from './confirm-step.tsx'
import { useCooldown } from './use-cooldown.ts'
import { useSubmit } from './use-submit.ts'
import * as errorTexts from './error-texts.ts'
import * as texts from './page-texts.tsx'
import { useInput } from '../../lib/use-input.ts'

const resendPauseSeconds = 30

const linkExpired: AuthError = {
  kind: 'code-refused',
  field: 'form',
  userMessage: texts.resetLinkExpired,
}

const linkIncomplete: AuthError = { kind: 'other', field: 'form', userMessage: texts.resetLinkIncomplete }

/**
 * Sets a new password: one field if the link carried the code; otherwise, or if that code is incomplete or was rejected,
 * with a field for the code.
 */
export function ResetStep({
  email,
  linkCode,
  wasSignedUpElsewhere,
  onReset,
  onResend,
  onBack,
}: {
  email: string
  /** the code from the link in the e-mail, if it was opened */
  linkCode: string | undefined
  /** the account was just confirmed, and its password may be somebody else's */
  wasSignedUpElsewhere: boolean
  onReset: (code: string, password: string) => StepResult
  onResend: () => StepResult
  onBack: () => void
}) {
  // mail programs can cut a link off
  const isLinkIncomplete = linkCode !== undefined && linkCode.length < codeLength
  /** the code is the link's: there is no field for it */
  const [usesLinkCode, setUsesLinkCode] = useState(linkCode !== undefined && !isLinkIncomplete)
  const code = useInput(useId(), { stored: isLinkIncomplete ? '' : (linkCode ?? ''), onLeave: 'forget' })
  const password = useInput(useId(), { onLeave: 'forget' })
  const [problem, setProblem] = useState(isLinkIncomplete ? linkIncomplete : undefined)
  const [wasResent, setWasResent] = useState(false)
  const codeField = useRef<HTMLInputElement>(null)
  const [pauseSeconds, startPause] = useCooldown(resendPauseSeconds, linkCode === undefined)
  const form = useSubmit(async () => {
    setWasResent(false)
    const failure = validateReset(code.value, password.value) ?? (await onReset(code.value, password.value))
    setProblem(usesLinkCode && failure?.kind === 'code-refused' ? linkExpired : failure)
    if (failure?.kind !== 'code-refused') return
    setUsesLinkCode(false)
    code.change('')
  })
  const resend = useSubmit(async () => {
    const failure = await onResend()
    setProblem(failure)
    setWasResent(!failure)
    if (failure) return
    startPause()
    codeField.current?.focus()
  })
  return (
    <AuthForm
      title={
        usesLinkCode
          ? texts.chooseNewPassword
          : wasSignedUpElsewhere
            ? texts.choosePassword
            : texts.checkEmail
      }
      subtitle={
        usesLinkCode
          ? texts.resetByLinkSubtitle(email)
          : wasSignedUpElsewhere
            ? texts.signedUpElsewhere(email)
            : linkCode !== undefined && !wasResent
              ? texts.resetByCodeSubtitle(email)
              : texts.resetSent(email)
      }
      errors={problem}
      onSubmit={form.submit}
      footer={
        <>
          {!usesLinkCode && (
            <ResendLine pauseSeconds={pauseSeconds} busy={resend.busy} onResend={resend.submit} />
          )}
          <p>
            <TextButton onClick={onBack}>{texts.backToSignIn}</TextButton>
          </p>
        </>
      }
    >
      {problem && problem.field !== 'code' && problem.field !== 'password' && (
        <Callout variant="danger">{problem.userMessage}</Callout>
      )}
      {wasResent && <Callout variant="info">{texts.emailResent}</Callout>}
      {/* tells password managers whose password this is */}
      <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
      {!usesLinkCode && (
        <CodeField
          ref={codeField}
          label={texts.codeFromEmail}
          input={code}
          error={problem?.field === 'code' ? problem.userMessage : undefined}
          disabled={form.busy}
        />
      )}
      <PasswordField
        label={texts.newPassword}
        name="password"
        autoComplete="new-password"
        input={password}
        onInput={preloadPasswordCheck}
        error={problem?.field === 'password' ? problem.userMessage : undefined}
      />
      <Button type="submit" variant="primary" size="lg" block busy={form.busy}>
        {texts.setNewPassword}
      </Button>
    </AuthForm>
  )
}

function validateReset(code: string, password: string): AuthError | undefined {
  const field = code.length < codeLength ? 'code' : password === '' ? 'password' : undefined
  if (field) return { kind: 'other', field, userMessage: errorTexts.requiredFields }
  // Cognito refuses such passwords
  return password.trim() === password
    ? undefined
    : { kind: 'other', field: 'password', userMessage: errorTexts.passwordHasSpaces }
}
