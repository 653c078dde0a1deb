import { useMutation } from '@tanstack/react-query'
import { Check, Copy, Smartphone } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Button, buttonClass } from '../../../components/ui/button.tsx'
import { CodeField, codeLength } from '../../../components/ui/code-field.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { Notice } from '../../../components/ui/callout.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { NetworkError } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import { useRecentSignIn } from '../../../lib/recent-sign-in.ts'
import { codeProblem } from '../../../components/second-factor-code.tsx'
import { BackupCodes } from './backup-codes.tsx'
import { QrCode } from './qr-code.tsx'
import { isCode, setupTimeoutMs, twoFactorSentence } from './two-factor-queries.ts'
import { useCopied } from '../../../components/use-copy.ts'

interface SetupWizardProps {
  open: boolean
  /** left before the factor was on */
  onCancel: () => void
  /** the factor is on */
  onEnabled: () => void
  /** the codes were seen */
  onDone: () => void
}

/** Set-up in three steps: a secret is asked for, shown as a QR code and verified, then the backup codes (MFA-19 to MFA-25). */
export function SetupWizard({ open, onCancel, onEnabled, onDone }: SetupWizardProps) {
  const [complete, setComplete] = useState(false)
  const [code, setCode] = useState('')
  const unanswered = useRef(false)
  const recently = useRecentSignIn()
  const { result, failure, begin } = useEnrolment()
  const verify = useMutation({
    mutationFn: async (token: string) => {
      const sentence = codeProblem(token, false)
      if (sentence !== undefined) throw new Error(sentence)
      try {
        await recently(() =>
          callApi('mfa.setup', { body: { action: 'verify', token } }, { timeoutMs: setupTimeoutMs }),
        )
      } catch (error) {
        // on already: an answer that did not come had done its work
        if (!(unanswered.current && isCode(error, 'two_factor_already_on'))) throw error
      }
    },
    onSuccess: () => {
      setComplete(true)
      onEnabled()
    },
    onError: (error) => {
      unanswered.current ||= error instanceof NetworkError
      if (isCode(error, 'invalid_code')) setCode('')
    },
  })

  // on a phone the keyboard would hide the QR code
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (result && !matchMedia('(pointer: coarse)').matches) field.current?.focus()
  }, [result])

  const submit = () => {
    if (!verify.isPending) verify.mutate(code)
  }
  const close = complete ? onDone : onCancel
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || close()}
      title={complete ? 'Save your backup codes' : 'Set up two-factor authentication'}
      description={
        complete
          ? 'Step 2 of 2. Two-factor authentication is on. Every other session of your account is over.'
          : 'Step 1 of 2'
      }
      footer={
        complete ? (
          <Button tone="primary" onClick={onDone}>
            Continue to Settings
          </Button>
        ) : (
          <>
            <Button tone="ghost" onClick={onCancel}>
              Cancel
            </Button>
            {result && (
              <Button
                tone="primary"
                busy={verify.isPending}
                disabled={code.length < codeLength}
                onClick={submit}
              >
                Verify
              </Button>
            )}
          </>
        )
      }
    >
      {complete ? (
        <BackupCodes codes={result?.backupCodes ?? []} />
      ) : failure ? (
        <div className="grid justify-items-start gap-4">
          <Notice tone="danger">{twoFactorSentence(failure)}</Notice>
          <Button onClick={begin}>Try Again</Button>
        </div>
      ) : result ? (
        <form
          className="grid gap-5"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <Enrolment qrCodeUrl={result.qrCodeUrl} />
          <CodeField
            ref={field}
            label="Verification code"
            value={code}
            onChange={setCode}
            onComplete={(digits) => verify.mutate(digits)}
            error={verify.isError ? sentenceOf(verify.error) : undefined}
            disabled={verify.isPending}
          />
          <button type="submit" className="sr-only" tabIndex={-1} aria-hidden />
        </form>
      ) : (
        <p role="status" className="flex min-h-80 items-center justify-center gap-2 text-ink-muted">
          <Spinner size={20} />
          Preparing your key…
        </p>
      )}
    </Dialog>
  )
}

interface Enrolled {
  qrCodeUrl: string
  backupCodes: readonly string[]
}

/** Asks for a secret at once, and again after a failure (MFA-19, MFA-20). Each asking replaces the secret before. */
function useEnrolment() {
  const recently = useRecentSignIn()
  const [result, setResult] = useState<Enrolled>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  const begin = useCallback(() => {
    setFailure(undefined)
    recently(() =>
      callApi('mfa.setup', { body: { action: 'generate' } }, { timeoutMs: setupTimeoutMs }),
    ).then(
      ({ qrCodeUrl = '', backupCodes = [] }) => setResult({ qrCodeUrl, backupCodes }),
      (error: unknown) => setFailure({ error }),
    )
  }, [recently])
  const started = useRef(false)
  useEffect(() => {
    if (started.current) return
    started.current = true
    begin()
  }, [begin])
  return { result, failure: failure?.error, begin }
}

const localSentence = /^Please enter /
const sentenceOf = (error: Error): string =>
  localSentence.test(error.message) ? error.message : twoFactorSentence(error)

/** The QR code, and the same as text for who cannot scan it. */
function Enrolment({ qrCodeUrl }: { qrCodeUrl: string }) {
  const secret = new URL(qrCodeUrl).searchParams.get('secret') ?? ''
  const { copied, copy } = useCopied({ title: 'Copied to clipboard' })
  return (
    <>
      <p className="text-ink-muted">
        Scan the code with your authenticator app, then type the six digits it shows.
      </p>
      <div className="flex flex-wrap items-start gap-5">
        <QrCode text={qrCodeUrl} label="QR code for your authenticator app" />
        <div className="grid min-w-36 flex-1 justify-items-start gap-2">
          <a href={qrCodeUrl} className={buttonClass({ className: 'mb-2 sm:hidden' })}>
            <Smartphone aria-hidden size={16} />
            Open authenticator app
          </a>
          <p className="font-medium">Cannot scan it?</p>
          <p className="text-ink-muted">Type this key into the app.</p>
          <code className="font-mono text-sm/6 wrap-anywhere">{secret.match(/.{1,4}/g)?.join(' ')}</code>
          <Button tone="ghost" size="sm" className="-ml-3" onClick={() => void copy(secret)}>
            {copied ? <Check aria-hidden size={16} /> : <Copy aria-hidden size={16} />}
            {copied ? 'Copied' : 'Copy key'}
          </Button>
        </div>
      </div>
    </>
  )
}
