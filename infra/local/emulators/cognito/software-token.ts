import { generateSecret, verifySync } from 'otplib'
import { CognitoError } from './errors.ts'
import type { SoftwareToken } from './pool-store.ts'

/** A new secret for an authenticator app: 32 base32 characters. */
export const newSoftwareToken = (): SoftwareToken => ({
  secret: generateSecret({ length: 20 }),
  usedSteps: [],
})

/**
 * Accepts a code of the previous, the current or the next time step, each once.
 * @returns the token with that step marked as used, undefined for a wrong code
 * @throws ExpiredCodeException for a code that was accepted before
 */
export function acceptSoftwareToken(
  { secret, usedSteps }: SoftwareToken,
  code: string,
): SoftwareToken | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const epoch = Math.floor(Date.now() / 1000)
  const result = verifySync({ secret, token: code, epoch, epochTolerance: 30 })
  if (!result.valid || !('timeStep' in result)) return undefined
  if (usedSteps.includes(result.timeStep))
    throw new CognitoError('ExpiredCodeException', 'Your software token has already been used once.')
  return { secret, usedSteps: [...usedSteps, result.timeStep].slice(-4) }
}
