import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { FactorProof, useFactorCode } from '../../components/second-factor-code.tsx'
import { Notice } from '../../components/ui/callout.tsx'
import { PasswordField } from '../../components/ui/password-field.tsx'
import { withHiddenTokens, loadSignedInUser, type SignedInUser } from '../../lib/auth-tokens.ts'
import { toAuthError, authSentences, type AuthFlow, type AuthError } from './auth-errors.ts'
import { redeemBackupCode } from './backup-code.ts'
import { loadAmplifyAuth } from './load-amplify-auth.ts'
import { useSubmit } from './use-submit.ts'

const wrongPassword = 'This password is not right. Please try again.'

/**
 * Asks for the password, and for a code where the account has a second factor, while the session goes on. What comes of it takes the
 * session's place; left halfway, the session stays as it was.
 */
export function SignInAgainDialog({
  user,
  onDone,
  onCancel,
}: {
  user: SignedInUser
  onDone: () => void
  onCancel: () => void
}) {
  const [step, setStep] = useState<'password' | 'code'>('password')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<AuthError>()
  const [awaitingCode, setAwaitingCode] = useState(false)
  const factor = useFactorCode()
  const attempt = useRef({ code: '', id: '' })
  const form = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (step === 'code') field.current?.focus()
  }, [step])

  const proceed = async (flow: AuthFlow, signIn: () => Promise<{ nextStep: { signInStep: string } }>) => {
    try {
      const { nextStep } = await signIn()
      if (nextStep.signInStep === 'CONFIRM_SIGN_IN_WITH_TOTP_CODE') setStep('code')
      else if (nextStep.signInStep !== 'DONE') return unknownError
      // as somebody else, which takes an account that was deleted and made again: the page reloads by itself
      else if ((await loadSignedInUser())?.sub === user.sub) onDone()
      return undefined
    } catch (error) {
      return toAuthError(error, flow)
    }
  }

  const submitPassword = async (): Promise<AuthError | undefined> => {
    if (password === '') return toPasswordError(authSentences.requiredFields)
    const refused = await proceed('sign-in', async () => {
      const flows = await loadAmplifyAuth()
      return withHiddenTokens(() => flows.signIn({ username: user.email, password }))
    })
    return refused?.userMessage === authSentences.invalidCredentials ? toPasswordError(wrongPassword) : refused
  }

  const verify = (challengeResponse: string) =>
    proceed('totp', async () => (await loadAmplifyAuth()).confirmSignIn({ challengeResponse }))

  const submitCode = async (): Promise<AuthError | undefined> => {
    if (factor.problem !== undefined) return { kind: 'other', field: 'code', userMessage: factor.problem }
    const { code, backup } = factor
    if (attempt.current.code !== code) attempt.current = { code, id: crypto.randomUUID() }
    const refused = await (backup
      ? redeemBackupCode(
          { email: user.email, token: code, attemptId: attempt.current.id },
          verify,
          setAwaitingCode,
        )
      : verify(code))
    // a code works once, so a refused one is of no use any more
    if (refused?.kind === 'code-refused' || refused?.kind === 'code-used') factor.setCode('')
    if (refused?.kind === 'challenge-over') setStep('password')
    return refused
  }

  const { busy, submit } = useSubmit(async () =>
    setProblem(await (step === 'password' ? submitPassword() : submitCode())),
  )
  const errorAt = (field: AuthError['field']) =>
    problem?.field === field ? problem.userMessage : undefined
  const formError = errorAt('form') ?? errorAt('email')
  return (
    <Dialog
      open
      onOpenChange={(open) => open || busy || onCancel()}
      title="Sign in again"
      description="Your sign-in is a while ago, so please show that it is you."
      footer={
        <>
          <Button tone="ghost" disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button
            tone="primary"
            type="submit"
            form={form}
            busy={busy}
            disabled={step === 'code' && !factor.ready}
          >
            Continue
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          // the dialog may stand in the form of another one
          event.stopPropagation()
          submit()
        }}
      >
        {formError !== undefined && <Notice tone="danger">{formError}</Notice>}
        {awaitingCode && (
          <Notice tone="info">You signed in a moment ago. One moment until the next code counts…</Notice>
        )}
        {step === 'password' ? (
          <>
            <p>
              You are signed in as <strong className="font-medium">{user.email}</strong>.
            </p>
            {/* tells password managers whose password this is */}
            <input type="hidden" name="email" autoComplete="username" value={user.email} readOnly />
            <PasswordField
              label="Password"
              name="password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
              error={errorAt('password')}
              disabled={busy}
            />
          </>
        ) : (
          <FactorProof
            ref={field}
            factor={factor}
            error={errorAt('code')}
            disabled={busy}
            onChange={() => setProblem(undefined)}
          />
        )}
      </form>
    </Dialog>
  )
}

const toPasswordError = (sentence: string): AuthError => ({ kind: 'other', field: 'password', userMessage: sentence })
const unknownError: AuthError = { kind: 'other', field: 'form', userMessage: authSentences.unknown }
