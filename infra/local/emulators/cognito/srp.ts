import { createHash, createHmac, getDiffieHellman, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** What a pool stores of a password: salt and verifier, both hexadecimal integers. */
export interface PasswordVerifier {
  salt: string
  verifier: string
}

/** The server's part of one sign-in; `b` is secret and used once. */
export interface SrpExchange {
  A: bigint
  b: bigint
  B: bigint
  verifier: bigint
}

// `createDiffieHellman` is slow for this prime in Node 24; the predefined group is used for its prime only.
const N = toInteger(getDiffieHellman('modp15').getPrime())
const g = 2n
const k = toInteger(sha256(pad(N), pad(g)))

/**
 * Creates salt and verifier for a new password.
 * @param poolName the part of the pool id after its underscore
 * @param userId the user's `sub`, never the typed e-mail
 */
export function createVerifier(poolName: string, userId: string, password: string): PasswordVerifier {
  const salt = randomBytes(16).toString('hex')
  return { salt, verifier: computeVerifier(poolName, userId, password, salt).toString(16) }
}

/** Whether `password` is the one `stored` was created from. */
export function verifyPassword(
  poolName: string,
  userId: string,
  password: string,
  stored: PasswordVerifier,
): boolean {
  return computeVerifier(poolName, userId, password, stored.salt) === BigInt(`0x${stored.verifier}`)
}

/**
 * A fake salt and verifier, derived from the name, so that an unknown user takes the same path and the same time as a known one.
 */
export function fakeVerifier(fakeKey: Buffer, name: string): PasswordVerifier {
  const parts = Array.from({ length: 12 }, (_, index) => hmac(fakeKey, `verifier ${index}`, name))
  return {
    salt: hmac(fakeKey, 'salt', name).subarray(0, 16).toString('hex'),
    verifier: (toInteger(Buffer.concat(parts)) % N).toString(16),
  }
}

/** A UUID in version 4 format for an unknown user name, derived from the name. */
export function fakeUserId(fakeKey: Buffer, name: string): string {
  const bytes = hmac(fakeKey, 'user id', name).subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * Begins an exchange with the client's public value.
 * @param srpA hexadecimal, any length
 * @returns undefined if the value is not hexadecimal, or is a multiple of N, which would fix the session key
 */
export function beginExchange(srpA: string, stored: PasswordVerifier): SrpExchange | undefined {
  if (!/^[0-9a-f]{1,1024}$/i.test(srpA)) return undefined
  const A = BigInt(`0x${srpA}`)
  if (A % N === 0n) return undefined
  const verifier = BigInt(`0x${stored.verifier}`)
  const b = toInteger(randomBytes(32))
  return { A, b, B: (k * verifier + powerOfG(b)) % N, verifier }
}

/**
 * Whether a client's response proves that it knows the password.
 * @param message secretBlock and signature in base64, timestamp as received
 */
export function verifyProof(
  poolName: string,
  userId: string,
  { A, b, B, verifier }: SrpExchange,
  message: { secretBlock: string; signature: string; timestamp: string },
): boolean {
  const u = toInteger(sha256(pad(A), pad(B)))
  const shared = modPow((A * modPow(verifier, u)) % N, b)
  const key = Buffer.from(hkdfSync('sha256', pad(shared), pad(u), 'Caldera Derived Key', 16))
  const expected = createHmac('sha256', key)
    .update(`${poolName}${userId}`)
    .update(Buffer.from(message.secretBlock, 'base64'))
    .update(message.timestamp)
    .digest()
  const claimed = Buffer.from(message.signature, 'base64')
  return u !== 0n && claimed.length === expected.length && timingSafeEqual(claimed, expected)
}

function computeVerifier(poolName: string, userId: string, password: string, salt: string): bigint {
  const identity = sha256(Buffer.from(`${poolName}${userId}:${password}`))
  return powerOfG(toInteger(sha256(pad(BigInt(`0x${salt}`)), identity)))
}

let powerTable: bigint[][] | undefined

/**
 * g to the power of an exponent of at most 256 bits, in a sixth of `modPow`'s time: one product for each hexadecimal digit. Each
 * sign-up and sign-in needs one.
 */
function powerOfG(exponent: bigint): bigint {
  powerTable ??= createPowerTable()
  const digits = exponent.toString(16).padStart(64, '0')
  return powerTable.reduce((product, powers, place) => {
    const power = powers[Number.parseInt(digits.charAt(63 - place), 16)] ?? 1n
    return power === 1n ? product : (product * power) % N
  }, 1n)
}

/** @returns in row `place` and column `digit`, g to the power of digit · 16^place */
function createPowerTable(): bigint[][] {
  let base = g
  return Array.from({ length: 64 }, () => {
    const powers = [1n]
    for (let digit = 1; digit <= 16; digit += 1) powers.push(((powers[digit - 1] ?? 1n) * base) % N)
    base = powers.pop() ?? base
    return powers
  })
}

function modPow(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let square = base % N
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % N
    square = (square * square) % N
  }
  return result
}

/** Shortest big-endian bytes, with a zero byte in front when the top bit is set. */
function pad(value: bigint): Buffer {
  const hex = value.toString(16)
  const even = hex.length % 2 ? `0${hex}` : hex
  return Buffer.from(/^[89a-f]/.test(even) ? `00${even}` : even, 'hex')
}

function toInteger(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`)
}

function sha256(...parts: Buffer[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function hmac(key: Buffer, label: string, name: string): Buffer {
  return createHmac('sha256', key).update(`${label}\0${name.trim().toLowerCase()}`).digest()
}
