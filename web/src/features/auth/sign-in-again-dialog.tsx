import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useId, useRef, useState } from 'react'
import { SecondFactorInput, useSecondFactorCode } from '../../components/second-factor-code.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { PasswordField } from '../../components/ui/password-field.tsx'
import type { SignedInUser } from '../../lib/api/signed-in-user.ts'
import { waitingForNextCode } from './backup-code.ts'
import { Notice } from './notice.tsx'
import { ProviderSignInDialog } from './provider-sign-in-dialog.tsx'
import { loadSignedInUser } from '../../lib/api/auth-tokens.ts'
import { useInput } from '../../lib/input/use-input.ts'
import { askAmplify, type AuthError } from './auth-errors.ts'
import { useBackupCode } from './use-backup-code.ts'
import { useSubmit } from './use-submit.ts'

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
 * Signs a user in with the password, and with a code if the account has a second factor, while they stay signed in. On success the new
 * tokens replace the old ones; otherwise nothing changes.
 */
function useSignInAgain(user: SignedInUser, onDone: () => void) {
  const [step, setStep] = useState<'password' | 'code'>('password')
  const password = useInput(useId(), { onLeave: 'forget' })
  const secondFactorCode = useSecondFactorCode()
  const [problem, setProblem] = useState<AuthError>()

  const proceed = async (signInStep: string): Promise<void> => {
    if (signInStep === 'CONFIRM_SIGN_IN_WITH_TOTP_CODE') setStep('code')
    else if (signInStep !== 'DONE') throw Object.assign(new Error('unknown step'), { name: signInStep })
    // another user means that the account was deleted and created again: the page then reloads itself
    else if ((await loadSignedInUser())?.sub === user.sub) onDone()
  }

  const submitPassword = async (): Promise<AuthError | undefined> => {
    if (password.value === '') return toPasswordError(t`Please fill in all required fields`)
    const failure = await askAmplify('sign-in', async (amplify) => {
      const input = { username: user.email, password: password.value }
      await proceed((await amplify.signIn(input)).nextStep.signInStep)
    })
    return failure?.kind === 'credentials-refused'
      ? toPasswordError(t`This password is wrong. Please try again.`)
      : failure
  }

  const verify = (challengeResponse: string) =>
    askAmplify('totp', async (amplify) =>
      proceed((await amplify.confirmSignIn({ challengeResponse })).nextStep.signInStep),
    )
  const { redeem, isWaitingForNextCode } = useBackupCode(user.email, verify)

  const submitCode = async (): Promise<AuthError | undefined> => {
    if (secondFactorCode.validationError !== undefined)
      return { kind: 'other', field: 'code', userMessage: secondFactorCode.validationError }
    const { code, isBackupCode } = secondFactorCode
    const failure = await (isBackupCode ? redeem : verify)(code)
    if (failure?.kind === 'challenge-over') setStep('password')
    // a code works once, so a rejected one is cleared; a new challenge needs a new one
    if (failure && ['code-refused', 'code-used', 'challenge-over'].includes(failure.kind))
      secondFactorCode.clear()
    return failure
  }

  const { isBusy, submit } = useSubmit(async () =>
    setProblem(await (step === 'password' ? submitPassword() : submitCode())),
  )
  return {
    step,
    password,
    secondFactorCode,
    isWaitingForNextCode,
    isBusy,
    submit,
    clearProblem: () => setProblem(undefined),
    /** of the error, if something failed */
    cause: problem?.cause,
    errorAt: (field: AuthError['field']) => (problem?.field === field ? problem.userMessage : undefined),
  }
}

const toPasswordError = (userMessage: string): AuthError => ({
  kind: 'other',
  field: 'password',
  userMessage,
})

/** Asks for the password, and for a code if the account has a second factor. */
function PasswordDialog({ user, onDone, onCancel }: SignInAgainProps) {
  const {
    step,
    password,
    secondFactorCode,
    isWaitingForNextCode,
    isBusy,
    submit,
    clearProblem,
    errorAt,
    cause,
  } = useSignInAgain(user, onDone)
  const formId = useId()
  const field = useRef<HTMLInputElement>(null)
  const shownStep = useRef(step)
  useEffect(() => {
    // the field of the step before is gone
    if (step !== shownStep.current) field.current?.focus()
    shownStep.current = step
  }, [step])
  // a code that was sent already cannot be stopped
  const canCancel = !isBusy || isWaitingForNextCode
  const formError = errorAt('form') ?? errorAt('email')
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && canCancel && onCancel()}
      title={t`Sign in again`}
      description={t`You signed in a while ago. Please confirm that it is you.`}
      footer={
        <>
          <Button variant="ghost" data-safe disabled={!canCancel} onClick={onCancel}>
            {t`Cancel`}
          </Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            busy={isBusy}
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
        {formError !== undefined && (
          <Callout variant="danger" error={cause}>
            {formError}
          </Callout>
        )}
        <Notice text={isWaitingForNextCode ? waitingForNextCode : undefined} />
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
              ref={field}
              label={t`Password`}
              name="password"
              autoComplete="current-password"
              input={password}
              error={errorAt('password')}
              readOnly={isBusy}
            />
          </>
        ) : (
          <SecondFactorInput
            ref={field}
            secondFactorCode={secondFactorCode}
            error={errorAt('code')}
            busy={isBusy}
            onChange={clearProblem}
          />
        )}
      </form>
    </Dialog>
  )
}
