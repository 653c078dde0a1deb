import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { SecondFactorInput, useSecondFactorCode } from '../../components/second-factor-code.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { PasswordField } from '../../components/ui/password-field.tsx'
import { withHiddenTokens, loadSignedInUser } from '../../lib/auth-tokens.ts'
import type { SignedInUser } from '../../lib/signed-in-user.ts'
import { toAuthError, type AuthFlow, type AuthError } from './auth-errors.ts'
import { redeemBackupCode } from './backup-code.ts'
import { loadAmplifyAuth } from './load-amplify-auth.ts'
import { ProviderSignInDialog } from './provider-sign-in-dialog.tsx'
import { useSubmit } from './use-submit.ts'
import { useInput } from '../../lib/use-input.ts'

interface SignInAgainProps {
  user: SignedInUser
  onDone: () => void
  onCancel: () => void
}

/** Asks for a new sign-in: for the password, or at the user's identity provider. */
export function SignInAgainDialog(props: SignInAgainProps) {
  const { provider } = props.user
  return provider === undefined ? (
    <PasswordDialog {...props} />
  ) : (
    <ProviderSignInDialog name={provider} user={props.user} onCancel={props.onCancel} />
  )
}

/**
 * Asks for the password, and for a code if the account has a second factor, while the user stays signed in. On success the new tokens
 * replace the old ones; on cancel nothing changes.
 */
function PasswordDialog({ user, onDone, onCancel }: SignInAgainProps) {
  const [step, setStep] = useState<'password' | 'code'>('password')
  const password = useInput(useId(), { onLeave: 'forget' })
  const [problem, setProblem] = useState<AuthError>()
  const [isWaitingForNextCode, setIsWaitingForNextCode] = useState(false)
  const secondFactorCode = useSecondFactorCode()
  /** a repeated request with the same backup code is one attempt */
  const attempt = useRef({ code: '', id: '' })
  const redemption = useRef<AbortController>(undefined)
  // nobody is signed in by a code once the dialog is gone, such as after a sign-out in another tab
  useEffect(() => () => redemption.current?.abort(), [])
  const formId = useId()
  const codeField = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (step === 'code') codeField.current?.focus()
  }, [step])

  const proceed = async (flow: AuthFlow, signIn: () => Promise<{ nextStep: { signInStep: string } }>) => {
    try {
      const { nextStep } = await signIn()
      if (nextStep.signInStep === 'CONFIRM_SIGN_IN_WITH_TOTP_CODE') setStep('code')
      else if (nextStep.signInStep !== 'DONE') return unknownError
      // another user means that the account was deleted and created again: the page then reloads itself
      else if ((await loadSignedInUser())?.sub === user.sub) onDone()
      return undefined
    } catch (error) {
      return toAuthError(error, flow)
    }
  }

  const submitPassword = async (): Promise<AuthError | undefined> => {
    if (password.value === '') return toPasswordError(t`Please fill in all required fields`)
    const failure = await proceed('sign-in', async () => {
      const amplifyAuth = await loadAmplifyAuth()
      return withHiddenTokens(() => amplifyAuth.signIn({ username: user.email, password: password.value }))
    })
    return failure?.kind === 'credentials-refused'
      ? toPasswordError(t`This password is wrong. Please try again.`)
      : failure
  }

  const verify = (challengeResponse: string) =>
    proceed('totp', async () => (await loadAmplifyAuth()).confirmSignIn({ challengeResponse }))

  const submitCode = async (): Promise<AuthError | undefined> => {
    if (secondFactorCode.validationError !== undefined)
      return { kind: 'other', field: 'code', userMessage: secondFactorCode.validationError }
    const { code, isBackupCode } = secondFactorCode
    if (attempt.current.code !== code) attempt.current = { code, id: crypto.randomUUID() }
    redemption.current = new AbortController()
    const failure = await (isBackupCode
      ? redeemBackupCode(
          { email: user.email, token: code, attemptId: attempt.current.id },
          verify,
          setIsWaitingForNextCode,
          redemption.current.signal,
        )
      : verify(code))
    if (failure?.kind === 'challenge-over') setStep('password')
    // a code works once, so a rejected one is cleared; a new challenge needs a new one
    if (failure && ['code-refused', 'code-used', 'challenge-over'].includes(failure.kind))
      secondFactorCode.clear()
    return failure
  }

  const { busy, submit } = useSubmit(async () =>
    setProblem(await (step === 'password' ? submitPassword() : submitCode())),
  )
  const errorAt = (field: AuthError['field']) => (problem?.field === field ? problem.userMessage : undefined)
  const formError = errorAt('form') ?? errorAt('email')
  return (
    <Dialog
      open
      onOpenChange={(open) => open || busy || onCancel()}
      title={t`Sign in again`}
      description={t`You signed in a while ago. Please confirm that it is you.`}
      footer={
        <>
          <Button variant="ghost" data-safe disabled={busy} onClick={onCancel}>
            {t`Cancel`}
          </Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            busy={busy}
            disabled={step === 'code' && !secondFactorCode.isComplete}
          >
            {t`Continue`}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          // the dialog may be inside another form
          event.stopPropagation()
          submit()
        }}
      >
        {formError !== undefined && <Callout variant="danger">{formError}</Callout>}
        {isWaitingForNextCode && (
          <Callout variant="info">{t`Your last code was just used. Waiting for the next one, up to 30 seconds…`}</Callout>
        )}
        {step === 'password' ? (
          <>
            <p>
              <Trans>
                You are signed in as <strong className="font-medium">{user.email}</strong>.
              </Trans>
            </p>
            {/* tells password managers whose password this is */}
            <input type="hidden" name="email" autoComplete="username" value={user.email} readOnly />
            <PasswordField
              label={t`Password`}
              name="password"
              autoComplete="current-password"
              input={password}
              error={errorAt('password')}
              readOnly={busy}
            />
          </>
        ) : (
          <SecondFactorInput
            ref={codeField}
            secondFactorCode={secondFactorCode}
            error={errorAt('code')}
            busy={busy}
            onChange={() => setProblem(undefined)}
          />
        )}
      </form>
    </Dialog>
  )
}

const toPasswordError = (userMessage: string): AuthError => ({
  kind: 'other',
  field: 'password',
  userMessage,
})
const unknownError: AuthError = {
  kind: 'other',
  field: 'form',
  userMessage: t`Something went wrong. Please try again.`,
}
