import { t } from '@lingui/core/macro'
import { useId, useState } from 'react'
import { useSecondFactorCode } from '../../components/second-factor-code.tsx'
import { loadSignedInUser } from '../../lib/auth-tokens.ts'
import type { SignedInUser } from '../../lib/signed-in-user.ts'
import { useInput } from '../../lib/use-input.ts'
import { askAmplify, type AuthError } from './auth-errors.ts'
import { useBackupCode } from './use-backup-code.ts'
import { useSubmit } from './use-submit.ts'

/**
 * Signs a user in with the password, and with a code if the account has a second factor, while they stay signed in. On success the new
 * tokens replace the old ones; otherwise nothing changes.
 */
export function useSignInAgain(user: SignedInUser, onDone: () => void) {
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
