import crypto, { createPrivateKey, createPublicKey, type RSAKeyPairKeyObjectOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'

/**
 * Generating a pair of RSA keys takes a tenth of a second, and each user pool has two. A process that has loaded this module uses a few
 * pairs again and again: those of the variable REUSED_RSA_KEYS (private keys as PEM), or the first that it generates.
 */

const pairs = 3
const installed = Symbol.for('juno.reused-rsa-keys')
const { generateKeyPairSync } = crypto

/** Private keys as PEM, for processes that a test starts. */
export const generateKeys = (): string[] =>
  Array.from({ length: pairs }, () =>
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  ).map(String)

function install(): void {
  const known = JSON.parse(process.env['REUSED_RSA_KEYS'] ?? '[]') as string[]
  const next = (type: 'rsa', options: RSAKeyPairKeyObjectOptions) => {
    if (type !== 'rsa' || options.modulusLength !== 2048) return generateKeyPairSync(type, options)
    if (known.length === 0) known.push(...generateKeys())
    const pem = known.shift() ?? ''
    known.push(pem)
    return { privateKey: createPrivateKey(pem), publicKey: createPublicKey(pem) }
  }
  const generateKeyPair = Object.assign(
    () => {
      throw new Error('only promisified so far')
    },
    { [promisify.custom]: async (type: 'rsa', options: RSAKeyPairKeyObjectOptions) => next(type, options) },
  )
  Object.assign(crypto, { generateKeyPair, generateKeyPairSync: next })
  syncBuiltinESMExports()
}

// once a process: test files load their own modules
if (!Reflect.has(globalThis, installed)) {
  Reflect.set(globalThis, installed, true)
  install()
}
