import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer } from 'node:http'
import { listen } from '../../infra/local/listen.ts'

/** A message as the push service got it. */
export interface ReceivedPush {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** A push service of RFC 8030 on the loopback interface, with browsers whose keys the test has. */
export async function startPushService() {
  const received: ReceivedPush[] = []
  const answers = new Map<string, { status: number; headers?: Record<string, string> }[]>()
  const server = await listen(
    createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const path = request.url ?? ''
        received.push({ path, headers: request.headers, body: Buffer.concat(chunks) })
        const { status, headers = {} } = answers.get(path)?.shift() ?? { status: 201 }
        response.writeHead(status, headers).end()
      })
    }),
  )
  const { host } = new URL(server.url)
  return {
    /** for OUTBOUND_ALLOW */
    host,
    received,
    /** A browser that has subscribed. @param statuses of its first answers; then 201 */
    newBrowser(...statuses: { status: number; headers?: Record<string, string> }[]) {
      const ecdh = createECDH('prime256v1')
      ecdh.generateKeys()
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(8).toString('hex')}`
      answers.set(path, statuses)
      const receiver = { privateKey: ecdh.getPrivateKey(), auth }
      return {
        subscription: {
          endpoint: `${server.url}${path}`,
          keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') },
        },
        /** The messages to this browser, opened, with their verified claims. */
        open: (publicKey: string) =>
          received
            .filter((one) => one.path === path)
            .map(({ headers, body }) => ({
              headers,
              claims: verifyVapid(String(headers['authorization']), publicKey),
              message: JSON.parse(decryptPush(body, receiver)) as Record<string, unknown>,
            })),
        count: () => received.filter((one) => one.path === path).length,
      }
    },
    close: () => server.close(),
  }
}

/** Opens a message by RFC 8291 section 3 and RFC 8188 section 2, with Node's older cryptography: nothing of the product's code. */
export function decryptPush(body: Uint8Array, receiver: { privateKey: Buffer; auth: Buffer }): string {
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

/** Verifies the signature by RFC 8292 (ES256). @param publicKey that the browser subscribed with @returns the claims */
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
