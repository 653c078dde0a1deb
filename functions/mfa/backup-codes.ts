import { randomBytes, randomInt, scrypt } from 'node:crypto'
import { codeSeparators } from '#shared/code-separators.ts'
import { backupCodeCharacters } from '#shared/limits.ts'
import { backupCodeCount } from '../platform/limits.ts'

/** Crockford's base32, without I, L, O and U, which are easy to misread. Ten characters are 50 bits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 16 MB and about 40 ms per guess */
const cost = { N: 16_384, r: 8, p: 1 }
const hashBytes = 32

const generateSalt = (): string => randomBytes(16).toString('base64url')

/** Creates ten different codes of ten characters. */
export function generateBackupCodes(): string[] {
  const codes = new Set<string>()
  while (codes.size < backupCodeCount)
    codes.add(
      Array.from({ length: backupCodeCharacters }, () => alphabet[randomInt(alphabet.length)]).join(''),
    )
  return [...codes]
}

/**
 * Parses a code. Lower case, blanks, dashes and the letters that Crockford's alphabet maps to others are accepted.
 * @returns undefined if the input cannot be a code
 */
export function parseBackupCode(input: string): string | undefined {
  const code = input
    .replaceAll(codeSeparators, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  return new RegExp(`^[0-9A-Z]{${backupCodeCharacters}}$`).test(code) ? code : undefined
}

/** Hashes a code for storage. There is one salt per user, so that checking a guess costs one hash, not ten. */
export function hashBackupCode(code: string, salt: string): Promise<string> {
  return new Promise((resolve, reject) =>
    scrypt(code, salt, hashBytes, cost, (error, hash) =>
      error ? reject(error) : resolve(hash.toString('base64url')),
    ),
  )
}

/** @returns the codes, to be shown once, and their hashes */
export async function createBackupCodes(): Promise<{ codes: string[]; salt: string; hashes: string[] }> {
  const [codes, salt] = [generateBackupCodes(), generateSalt()]
  return { codes, salt, hashes: await Promise.all(codes.map((code) => hashBackupCode(code, salt))) }
}
