import { t } from '@lingui/core/macro'
import { useEffect, useId, useRef, useState, useCallback, useMemo } from 'react'
import { Button, buttonClass } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { CodeField, codeLength } from '../../../components/ui/code-field.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { Status } from '../../../components/ui/status.tsx'
import { useInput, type Input } from '../../../lib/input/use-input.ts'
import { BackupCodes } from './backup-codes.tsx'
import { describeTwoFactorError, setupTimeoutMs } from './two-factor-queries.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { useRecentSignIn } from '../../../lib/sign-in/recent-sign-in.ts'
import { validateCode } from '../../../components/second-factor-code.tsx'
import { useActionMutation } from '../../../components/use-action.ts'
import { NetworkError } from '../../../lib/api/api-errors.ts'
import { hasErrorCode } from '../../../lib/api/has-error-code.ts'
import { Check, Copy, Smartphone } from 'lucide-react'
import { useCopy } from '../../../components/ui/use-copy.ts'
import { encode } from 'uqr'

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

/** A secret that is not confirmed yet. */
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

/**
 * Turns two-factor on with a code of the authenticator app.
 * @param onEnabled called when it is on, unless the user has left the page
 * @param onRejected called when the service says that the code is wrong
 */
function useVerification(onEnabled: () => void, onRejected: () => void) {
  const hasLostResponse = useRef(false)
  const withRecentSignIn = useRecentSignIn()
  const { isBusy, error, start } = useActionMutation('two-factor', {
    failureTitle: t`Two-factor authentication was not set up`,
    describe: () => 'verify',
    run: async (token: string) => {
      const problem = validateCode(token)
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
      if (isShown) return onEnabled()
      // the codes are shown only once, and here only
      notify(
        'info',
        t`Two-factor authentication is on. You have not seen your backup codes: please create new ones.`,
      )
    },
    onError: (error) => {
      hasLostResponse.current ||= error instanceof NetworkError
      if (hasErrorCode(error, 'invalid_code')) onRejected()
    },
  })
  return { isBusy, error, errorMessage: error ? describeError(error) : undefined, verify: start }
}

/** The code is malformed, so it is not sent. The message is for the user. */
class InvalidCodeError extends Error {}

const describeError = (error: Error): string =>
  error instanceof InvalidCodeError ? error.message : describeTwoFactorError(error)

/** The key of the account: as a QR code, as text for those who cannot scan it, and on a phone as a link that opens the authenticator app. */
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

const widthPx = 256
/** The quiet zone that ISO/IEC 18004 requires, without which scanners may not find a code on a dark page. */
const marginModules = 4

/** A QR code: black on white in both themes, smaller on phones. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => {
    const { data, size } = encode(text, { ecc: 'M', border: marginModules })
    const rows = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join(''))
    return { path: rows.join(''), size }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      width={widthPx}
      height={widthPx}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      // on a phone there has to be room for the code that is typed
      className="shrink-0 rounded-md ring-1 ring-line-strong max-sm:size-40"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  )
}
