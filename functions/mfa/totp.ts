import { codeSeparators } from '#shared/code-separators.ts'
import { generateSync, generateURI, verifySync } from 'otplib'

/** The default of RFC 6238, which every authenticator app supports. */
const stepSeconds = 30

/** The number of the time step that a moment belongs to (RFC 6238, T). */
export const toTimeStep = (nowMs: number): number => Math.floor(nowMs / 1000 / stepSeconds)

/** The six digits of a time step. */
export const generateCode = (secret: string, step: number): string =>
  generateSync({ secret, epoch: step * stepSeconds })

/** Parses six digits; blanks and dashes are ignored. @returns undefined if the input cannot be a code */
export function parseTotpCode(input: string): string | undefined {
  const digits = input.replaceAll(codeSeparators, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}

/** Finds the time step of a code: the previous, current or next one; undefined for a wrong code. */
export function findTimeStep(secret: string, code: string, nowMs: number): number | undefined {
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(nowMs / 1000),
    epochTolerance: stepSeconds,
  })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

/** The `otpauth:` URL in the QR code. */
export const buildEnrolmentUri = (account: { issuer: string; email: string; secret: string }): string =>
  generateURI({ issuer: account.issuer, label: account.email, secret: account.secret })
