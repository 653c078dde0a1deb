import { generateSync, generateURI, verifySync } from 'otplib'

/** RFC 6238's own: what every authenticator app expects. */
const stepSeconds = 30

export const toTimeStep = (nowMs: number): number => Math.floor(nowMs / 1000 / stepSeconds)

/** The six digits of a time step. */
export const generateCode = (secret: string, step: number): string =>
  generateSync({ secret, epoch: step * stepSeconds })

/** The code as typed, or undefined for what can be none: letters, five or seven digits. Spaces are fine. */
export function parseTotpCode(input: string): string | undefined {
  const digits = input.replaceAll(/[\s-]/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}

/** Which step a code belongs to: the one before, the current or the next one; undefined for a wrong code. */
export function findTimeStep(secret: string, code: string, nowMs: number): number | undefined {
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(nowMs / 1000),
    epochTolerance: stepSeconds,
  })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

/** The address that an authenticator app reads from the QR code. */
export const buildEnrolmentUri = (account: { issuer: string; email: string; secret: string }): string =>
  generateURI({ issuer: account.issuer, label: account.email, secret: account.secret })
