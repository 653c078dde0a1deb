import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'

/** What a browser keeps to itself when it subscribes. */
export interface PushReceiver {
  privateKey: Buffer
  auth: Buffer
}

/** Makes the keys of a browser that subscribes: its own, and those that it tells (base64url). */
export function createReceiver(): { receiver: PushReceiver; keys: { p256dh: string; auth: string } } {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const auth = randomBytes(16)
  return {
    receiver: { privateKey: ecdh.getPrivateKey(), auth },
    keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') },
  }
}

/** The key that a browser tells, of the one that it keeps to itself; base64url. */
export function toPublicKey(privateKey: Buffer): string {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(privateKey)
  return ecdh.getPublicKey('base64url')
}

/** Opens a message by RFC 8291 section 3 and RFC 8188 section 2, with Node's older cryptography: nothing of the sender's code. @throws Error */
export function decryptPush(body: Uint8Array, receiver: PushReceiver): string {
  const bytes = Buffer.from(body)
  const salt = bytes.subarray(0, 16)
  const senderKey = bytes.subarray(21, 21 + bytes.readUInt8(20))
  const sealed = bytes.subarray(21 + senderKey.length)
  if (sealed.length > bytes.readUInt32BE(16)) throw new Error('more than one record')
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(receiver.privateKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey])
  const hkdf = (secret: Buffer, by: Buffer, what: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, by, what, length))
  const input = hkdf(ecdh.computeSecret(senderKey), receiver.auth, info, 32)
  const key = hkdf(input, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = hkdf(input, salt, 'Content-Encoding: nonce\0', 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
  const record = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  const end = record.findLastIndex((byte) => byte !== 0)
  if (record[end] !== 2) throw new Error('the record has no end')
  return record.subarray(0, end).toString('utf8')
}

/** Verifies the signature by RFC 8292 (ES256). @param publicKey that the browser subscribed with @returns the claims @throws Error */
export function verifyVapid(authorization: string, publicKey: string): Record<string, unknown> {
  const [, token = '', k] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  if (k !== publicKey) throw new Error('another key')
  const point = Buffer.from(publicKey, 'base64url')
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const [header = '', claims = '', signature = ''] = token.split('.')
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('not signed by the key')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
}
