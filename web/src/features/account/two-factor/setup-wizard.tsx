import { t } from '@lingui/core/macro'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { CodeField, codeLength } from '../../../components/ui/code-field.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { Status } from '../../../components/ui/status.tsx'
import { useInput, type Input } from '../../../lib/input/use-input.ts'
import { BackupCodes } from './backup-codes.tsx'
import { Enrolment } from './enrolment.tsx'
import { describeTwoFactorError } from './two-factor-queries.ts'
import { useEnrolment } from './use-enrolment.ts'
import { useVerification } from './use-verification.ts'

interface SetupWizardProps {
  /** called when the wizard is closed before two-factor is on */
  onCancel: () => void
  /** called when two-factor is on */
  onEnabled: () => void
  /** called when the user has seen the backup codes and closes the wizard */
  onDone: () => void
  /** the label of the last button */
  doneLabel?: string
}

/** Sets up two-factor: requests a secret, shows it as a QR code, verifies a code, then shows the backup codes. */
export function SetupWizard({
  onCancel,
  onEnabled,
  onDone,
  doneLabel = t`Continue to Settings`,
}: SetupWizardProps) {
  const [isComplete, setIsComplete] = useState(false)
  const code = useInput(useId(), { onLeave: 'forget' })
  const { result, failure, start } = useEnrolment()
  const verification = useVerification(
    () => {
      setIsComplete(true)
      onEnabled()
    },
    () => code.reset(),
  )
  const { isBusy } = verification
  const close = isComplete ? onDone : onCancel
  const renderStep = () => {
    if (isComplete) return <BackupCodes codes={result?.backupCodes ?? []} />
    if (failure) return <FailedEnrolment error={failure} onRetry={start} />
    if (!result) return <KeyLoading />
    return <CodeForm qrCodeUrl={result.qrCodeUrl} code={code} verification={verification} />
  }

  return (
    <Dialog
      open
      onOpenChange={(next) => next || isBusy || close()}
      closesByButtonOnly={isComplete}
      title={isComplete ? t`Save your backup codes` : t`Set up two-factor authentication`}
      description={
        isComplete
          ? t`Step 2 of 2. Two-factor authentication is on. You were signed out on all other devices.`
          : t`Step 1 of 2`
      }
      footer={
        isComplete ? (
          <Button variant="primary" onClick={onDone}>
            {doneLabel}
          </Button>
        ) : (
          <>
            <Button variant="ghost" data-safe disabled={isBusy} onClick={onCancel}>
              {t`Cancel`}
            </Button>
            {result && (
              <Button
                variant="primary"
                busy={isBusy}
                disabled={code.value.length < codeLength}
                onClick={() => verification.verify(code.value)}
              >
                {t`Verify`}
              </Button>
            )}
          </>
        )
      }
    >
      {renderStep()}
    </Dialog>
  )
}

/** Shows the key, and asks for a code of the app that has it. */
function CodeForm({
  qrCodeUrl,
  code,
  verification: { isBusy, error, errorMessage, verify },
}: {
  qrCodeUrl: string
  code: Input<string>
  verification: ReturnType<typeof useVerification>
}) {
  const field = useRef<HTMLInputElement>(null)
  // a rejected code is cleared, which disables the button that was pressed
  useEffect(() => {
    if (error && !isBusy) field.current?.focus()
  }, [error, isBusy])
  return (
    <form
      className="grid gap-5 max-sm:gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        verify(code.value)
      }}
    >
      <Enrolment qrCodeUrl={qrCodeUrl} />
      <CodeField
        label={t`Verification code`}
        input={code}
        onComplete={verify}
        error={errorMessage}
        busy={isBusy}
        ref={field}
      />
      {/* Enter submits a form that has such a button; the visible one is outside of it */}
      <button type="submit" className="sr-only" tabIndex={-1} aria-hidden />
    </form>
  )
}

function FailedEnrolment({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="grid justify-items-start gap-4">
      <Callout variant="danger" error={error}>
        {describeTwoFactorError(error)}
      </Callout>
      <Button onClick={onRetry}>{t`Try Again`}</Button>
    </div>
  )
}

const KeyLoading = () => (
  <Status className="flex min-h-80 items-center justify-center gap-2 text-ink-muted">
    <Spinner size={20} />
    {t`Preparing your key…`}
  </Status>
)
