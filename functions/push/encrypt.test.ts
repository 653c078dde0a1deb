import type { webcrypto } from 'node:crypto'
import { expect, it } from 'vitest'
import { decryptPush } from '../../test/support/push-service.ts'
import { encryptPush, fromBase64url, maxMessageBytes } from './encrypt.ts'

const decode = (text: string) => Buffer.from(text, 'base64url')

// RFC 8291, appendix A
const vector = {
  message: 'When I grow up, I want to be a watermelon',
  senderPrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  senderPublic: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  receiverPrivate: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  receiverPublic: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}
const receiver = { privateKey: decode(vector.receiverPrivate), auth: decode(vector.auth) }
const keys = { p256dh: vector.receiverPublic, auth: vector.auth }

async function importPair(d: string, publicKey: string): Promise<webcrypto.CryptoKeyPair> {
  const bytes = decode(publicKey)
  const point = {
    kty: 'EC',
    crv: 'P-256',
    x: bytes.subarray(1, 33).toString('base64url'),
    y: bytes.subarray(33).toString('base64url'),
  }
  const load = (jwk: webcrypto.JsonWebKey, uses: webcrypto.KeyUsage[]) =>
    crypto.subtle.importKey('jwk', jwk, { name: 'ECDH', namedCurve: 'P-256' }, true, uses)
  return { privateKey: await load({ ...point, d }, ['deriveBits']), publicKey: await load(point, []) }
}

it('writes the body of RFC 8291, appendix A, byte for byte', async () => {
  const once = {
    salt: fromBase64url(vector.salt),
    sender: await importPair(vector.senderPrivate, vector.senderPublic),
  }
  const body = await encryptPush(vector.message, keys, once)
  expect(Buffer.from(body).toString('base64url')).toBe(vector.body)
  expect(decryptPush(body, receiver)).toBe(vector.message)
})

it.each(['', 'Miete für Mai: “Überweisung” 🏠', 'x'.repeat(maxMessageBytes)])(
  'is opened by a receiver, with other bytes each time: %.20j',
  async (message) => {
    const bodies = await Promise.all([encryptPush(message, keys), encryptPush(message, keys)])
    expect(bodies.map((body) => decryptPush(body, receiver))).toEqual([message, message])
    expect(Buffer.from(bodies[0]).equals(bodies[1])).toBe(false)
    expect(bodies[0].length).toBeLessThanOrEqual(4096)
  },
)

it('refuses what does not fit, and keys that are no point of the curve', async () => {
  await expect(encryptPush('ü'.repeat(maxMessageBytes / 2 + 1), keys)).rejects.toThrow(RangeError)
  const noPoint = Buffer.concat([Uint8Array.of(4), Buffer.alloc(64, 1)]).toString('base64url')
  await expect(encryptPush('x', { ...keys, p256dh: noPoint })).rejects.toThrow(Error)
})
