import { backupCodeCharacters } from '#shared/limits.ts'

/** What is wrong with a typed code before anybody is asked; the sentences of MFA-07 and MFA-09. */
export function codeProblem(code: string, isBackupCode: boolean): string | undefined {
  if (code.trim() === '') return 'Please enter a verification code'
  if (!isBackupCode && !/^\d{6}$/.test(code)) return 'Please enter a valid 6-digit code'
  return undefined
}

/** A backup code while it is typed: capitals, ten characters at most; pasted spaces and hyphens go (MFA-11). */
export const backupCodeInput = (typed: string): string =>
  typed.replaceAll(/[\s-]/g, '').toUpperCase().slice(0, backupCodeCharacters)
