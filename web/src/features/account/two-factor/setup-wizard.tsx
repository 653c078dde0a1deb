import { t } from '@lingui/core/macro'
import { Check, Copy, Smartphone } from 'lucide-react'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { Button, buttonClass } from '../../../components/ui/button.tsx'
import { CodeField, codeLength } from '../../../components/ui/code-field.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { useActionMutation } from '../../../components/use-action.ts'
import { NetworkError } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import { useRecentSignIn } from '../../../lib/recent-sign-in.ts'
import { validateCode } from '../../../components/second-factor-code.tsx'
import { BackupCodes } from './backup-codes.tsx'
import { QrCode } from './qr-code.tsx'
import { hasErrorCode, setupTimeoutMs, describeTwoFactorError } from './two-factor-queries.ts'
import { useCopy } from '../../../components/use-copy.ts'
import { useInput } from '../../../lib/use-input.ts'

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

/**
 * Sets up two-factor: requests a secret, shows it as a QR code, verifies a code, then shows the backup
 * codes.
 */
export function SetupWizard({
  onCancel,
  onEnabled,
  onDone,
  doneLabel = t`Continue to Settings`,
}: SetupWizardProps) {
  const [isComplete, setIsComplete] = useState(false)
  const code = useInput(useId(), { onLeave: 'forget' })
  const field = useRef<HTMLInputElement>(null)
  const hasLostResponse = useRef(false)
  const withRecentSignIn = useRecentSignIn()
  const { result, failure, start } = useEnrolment()
  const verify = useActionMutation('two-factor', {
    failureTitle: t`Two-factor authentication was not set up`,
    describe: () => 'verify',
    run: async (token: string) => {
      const problem = validateCode(token, false)
      if (problem !== undefined) throw new InvalidCodeError(problem)
      try {
        await withRecentSignIn(() =>
          callApi('mfa.setup', { body: { action: 'verify', token } }, { timeoutMs: setupTimeoutMs }),
        )
      } catch (error) {
        // already on: an earlier request succeeded although its response was lost
        if (!(hasLostResponse.current && hasErrorCode(error, 'two_factor_already_on'))) throw error
      }
    },
    onSuccess: (_data, _token, { isShown, notify }) => {
      // the codes are shown only once, and here only
      if (!isShown)
        notify(
          'info',
          t`Two-factor authentication is on. You have not seen your backup codes: please create new ones.`,
        )
      setIsComplete(true)
      onEnabled()
    },
    onError: (error) => {
      hasLostResponse.current ||= error instanceof NetworkError
      if (hasErrorCode(error, 'invalid_code')) code.reset()
    },
  })

  // a rejected code is cleared, which disables the button that was pressed
  useEffect(() => {
    if (verify.error && !verify.isBusy) field.current?.focus()
  }, [verify.error, verify.isBusy])

  const submit = () => {
    verify.start(code.value)
  }
  const close = isComplete ? onDone : onCancel
  const renderStep = () => {
    if (isComplete) return <BackupCodes codes={result?.backupCodes ?? []} />
    if (failure)
      return (
        <div className="grid justify-items-start gap-4">
          <Callout variant="danger">{describeTwoFactorError(failure)}</Callout>
          <Button onClick={start}>{t`Try Again`}</Button>
        </div>
      )
    if (!result)
      return (
        <p role="status" className="flex min-h-80 items-center justify-center gap-2 text-ink-muted">
          <Spinner size={20} />
          {t`Preparing your key…`}
        </p>
      )
    return (
      <form
        className="grid gap-5 max-sm:gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Enrolment qrCodeUrl={result.qrCodeUrl} />
        <CodeField
          label={t`Verification code`}
          input={code}
          onComplete={(digits) => verify.start(digits)}
          error={verify.error ? describeError(verify.error) : undefined}
          busy={verify.isBusy}
          ref={field}
        />
        <button type="submit" className="sr-only" tabIndex={-1} aria-hidden />
      </form>
    )
  }

  return (
    <Dialog
      open
      onOpenChange={(next) => next || verify.isBusy || close()}
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
            <Button variant="ghost" data-safe disabled={verify.isBusy} onClick={onCancel}>
              {t`Cancel`}
            </Button>
            {result && (
              <Button
                variant="primary"
                busy={verify.isBusy}
                disabled={code.value.length < codeLength}
                onClick={submit}
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

interface EnrolmentResult {
  qrCodeUrl: string
  backupCodes: readonly string[]
}

/** Requests a secret on mount, and again after a failure. Each request replaces the previous secret. */
function useEnrolment() {
  const withRecentSignIn = useRecentSignIn()
  const [result, setResult] = useState<EnrolmentResult>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  const start = useCallback(() => {
    setFailure(undefined)
    withRecentSignIn(() =>
      callApi('mfa.setup', { body: { action: 'generate' } }, { timeoutMs: setupTimeoutMs }),
    ).then(
      ({ qrCodeUrl, backupCodes = [] }) =>
        qrCodeUrl === undefined
          ? setFailure({ error: new Error('the response has no secret') })
          : setResult({ qrCodeUrl, backupCodes }),
      (error: unknown) => setFailure({ error }),
    )
  }, [withRecentSignIn])
  const hasStarted = useRef(false)
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    start()
  }, [start])
  return { result, failure: failure?.error, start }
}

/** The code is malformed, so it is not sent. The message is for the user. */
class InvalidCodeError extends Error {}

const describeError = (error: Error): string =>
  error instanceof InvalidCodeError ? error.message : describeTwoFactorError(error)

/** The QR code, and the key as text for those who cannot scan it. */
function Enrolment({ qrCodeUrl }: { qrCodeUrl: string }) {
  const secret = new URL(qrCodeUrl).searchParams.get('secret') ?? ''
  const { copied, copy } = useCopy({ title: t`Copied to clipboard` })
  return (
    <>
      <p className="text-ink-muted">{t`Scan the code with your authenticator app, then type the six digits it shows.`}</p>
      <a href={qrCodeUrl} className={buttonClass({ className: 'sm:hidden' })}>
        <Smartphone aria-hidden size={16} />
        {t`Open authenticator app`}
      </a>
      <div className="flex flex-wrap items-start gap-5 max-sm:gap-3">
        <QrCode text={qrCodeUrl} label={t`QR code for your authenticator app`} />
        <div className="grid min-w-36 flex-1 justify-items-start gap-2 max-sm:gap-1">
          <p className="font-medium">{t`Cannot scan it?`}</p>
          <p className="text-ink-muted">{t`Type this key into the app.`}</p>
          <code className="font-mono text-sm/6 wrap-anywhere">{secret.match(/.{1,4}/g)?.join(' ')}</code>
          <Button variant="ghost" size="sm" className="-ms-3" onClick={() => void copy(secret)}>
            {copied ? <Check aria-hidden size={16} /> : <Copy aria-hidden size={16} />}
            {copied ? t`Copied` : t`Copy key`}
          </Button>
        </div>
      </div>
    </>
  )
}
