import { webcrypto } from 'node:crypto'

/** A browser's keys for one subscription, base64url: its P-256 public key (65 bytes, uncompressed), and the authentication secret (16 bytes). */
export interface ReceiverKeys {
  readonly p256dh: string
  readonly auth: string
}

/** What differs with each message: never used twice. */
interface Once {
  readonly salt: Uint8Array<ArrayBuffer>
  readonly sender: webcrypto.CryptoKeyPair
}

const { subtle } = webcrypto
const curve = { name: 'ECDH', namedCurve: 'P-256' }
/** One record holds the message; push services refuse bodies of more than 4096 bytes (RFC 8030 section 7.2). */
const recordBytes = 4096
/** The longest message, in bytes: less the header (86), the delimiter (1) and the tag (16). */
export const maxMessageBytes = recordBytes - 103

const utf8 = (text: string) => new TextEncoder().encode(text)
export const fromBase64url = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))

/**
 * A browser's public key.
 * @throws DOMException if it is not a point of the curve
 */
export const importReceiverKey = (p256dh: string): Promise<webcrypto.CryptoKey> =>
  subtle.importKey('raw', fromBase64url(p256dh), curve, true, [])

const createOnce = async (): Promise<Once> => ({
  salt: crypto.getRandomValues(new Uint8Array(16)),
  sender: await subtle.generateKey(curve, false, ['deriveBits']),
})

/**
 * Encrypts a message for a browser (RFC 8291), as one record of `aes128gcm` (RFC 8188).
 * @param message at most `maxMessageBytes` in UTF-8
 * @returns the body for the push service
 * @throws RangeError when the message is too long
 */
export async function encryptPush(
  message: string,
  { p256dh, auth }: ReceiverKeys,
  once?: Once,
): Promise<Uint8Array<ArrayBuffer>> {
  const plain = utf8(message)
  if (plain.length > maxMessageBytes) throw new RangeError(`a message of ${plain.length} bytes`)
  const { salt, sender } = once ?? (await createOnce())
  const receiver = await importReceiverKey(p256dh)
  const [shared, senderKey] = await Promise.all([
    subtle.deriveBits({ name: 'ECDH', public: receiver }, sender.privateKey, 256),
    subtle.exportKey('raw', sender.publicKey),
  ])
  const keyInfo = Buffer.concat([utf8('WebPush: info\0'), fromBase64url(p256dh), new Uint8Array(senderKey)])
  const input = await derive(shared, { salt: fromBase64url(auth), info: keyInfo, bytes: 32 })
  const [key, nonce] = await Promise.all([
    derive(input, { salt, info: utf8('Content-Encoding: aes128gcm\0'), bytes: 16 }),
    derive(input, { salt, info: utf8('Content-Encoding: nonce\0'), bytes: 12 }),
  ])
  const contentKey = await subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt'])
  // 2 ends the last record
  const record = Buffer.concat([plain, Uint8Array.of(2)])
  const sealed = await subtle.encrypt({ name: 'AES-GCM', iv: nonce }, contentKey, record)
  const header = Buffer.alloc(21)
  header.set(salt)
  header.writeUInt32BE(recordBytes, 16)
  header.writeUInt8(senderKey.byteLength, 20)
  return new Uint8Array(Buffer.concat([header, new Uint8Array(senderKey), new Uint8Array(sealed)]))
}

async function derive(
  secret: ArrayBuffer,
  { salt, info, bytes }: { salt: Uint8Array<ArrayBuffer>; info: Uint8Array<ArrayBuffer>; bytes: number },
): Promise<ArrayBuffer> {
  const key = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  return subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, bytes * 8)
}
