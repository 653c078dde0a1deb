import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useId, useRef } from 'react'
import { SecondFactorInput } from '../../components/second-factor-code.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { PasswordField } from '../../components/ui/password-field.tsx'
import type { SignedInUser } from '../../lib/signed-in-user.ts'
import { waitingForNextCode } from './backup-code.ts'
import { Notice } from './notice.tsx'
import { ProviderSignInDialog } from './provider-sign-in-dialog.tsx'
import { useSignInAgain } from './use-sign-in-again.ts'

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
