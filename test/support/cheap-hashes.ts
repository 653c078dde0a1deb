import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Makes the hashes of backup codes cheap in the process that imports it, as far as they are made after that: tests make thousands,
 * which cost minutes of processor time. `functions/mfa/backup-codes.test.ts` holds the product to its real cost.
 */
const { scrypt } = crypto

const cheapScrypt = (
  password: BinaryLike,
  salt: BinaryLike,
  bytes: number,
  options: ScryptOptions,
  done: (error: Error | null, hash: Buffer) => void,
): void => scrypt(password, salt, bytes, { ...options, N: 16 }, done)

Object.assign(crypto, { scrypt: cheapScrypt })
syncBuiltinESMExports()
