import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Makes later hashes of backup codes cheap in the process that imports this module: tests make thousands, which would cost minutes
 * of CPU time. `functions/mfa/backup-codes.test.ts` holds the product to its real cost.
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
