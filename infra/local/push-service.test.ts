import { generateKeyPair, exportJWK, SignJWT } from 'jose'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { encryptPush } from '../../functions/push/encrypt.ts'
import { createPushService } from './push-service.ts'

const origin = 'http://127.0.0.1:4000'
const message = JSON.stringify({ title: 'Rent', body: 'Waiting for you', path: '/?c=1', tag: 't' })

async function createSigner() {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const { x = '', y = '' } = await exportJWK(publicKey)
  const point = [Uint8Array.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  const key = Buffer.concat(point).toString('base64url')
  const sign = async (audience: string, expires = '1 hour') => {
    const token = new SignJWT({}).setProtectedHeader({ typ: 'JWT', alg: 'ES256' }).setAudience(audience)
    return `vapid t=${await token.setSubject(origin).setExpirationTime(expires).sign(privateKey)}, k=${key}`
  }
  return { key, sign }
}

async function open() {
  const dataDir = await mkdtemp(join(tmpdir(), 'juno-push-'))
  const signer = await createSigner()
  const start = () => createPushService({ dataDir, origin, loadPublicKey: async () => signer.key })
  const service = start()
  onTestFinished(async () => {
    await rm(dataDir, { recursive: true, force: true })
  })
  return { service, start, signer }
}

it('opens a message that the product signed, and has it after a restart, as its browser', async () => {
  const { service, start, signer } = await open()
  const { endpoint, keys } = service.subscribe('ann@example.org')
  const { pathname } = new URL(endpoint)
  const send = async (to: typeof service) =>
    to.receive(pathname, { authorization: await signer.sign(origin), body: await encryptPush(message, keys) })
  expect(await send(service)).toBe(201)
  service.close()
  const again = start()
  onTestFinished(() => again.close())
  expect(await send(again)).toBe(201)
  const push = { to: 'ann@example.org', title: 'Rent', body: 'Waiting for you', path: '/?c=1' }
  expect(again.list('ann@example.org')).toMatchObject([push, push])
  expect(again.list('ben@example.org')).toEqual([])
})

it('has one browser of a person, however often it subscribes', async () => {
  const { service } = await open()
  onTestFinished(() => service.close())
  const first = service.subscribe('ann@example.org')
  expect(service.subscribe('ann@example.org')).toEqual(first)
  expect(service.subscribe('ben@example.org').endpoint).not.toBe(first.endpoint)
})

it('refuses other keys, audiences and browsers, what is over, and what it cannot open', async () => {
  const { service, signer } = await open()
  onTestFinished(() => service.close())
  const { endpoint, keys } = service.subscribe('ann@example.org')
  const { pathname } = new URL(endpoint)
  const body = await encryptPush(message, keys)
  const other = await createSigner()
  const receive = (authorization: string, bytes: Uint8Array = body) =>
    service.receive(pathname, { authorization, body: bytes })
  expect(await receive('')).toBe(403)
  expect(await receive(await other.sign(origin))).toBe(403)
  expect(await receive(await signer.sign('https://push.example'))).toBe(403)
  expect(await receive(await signer.sign(origin, '1 second ago'))).toBe(403)
  expect(await receive(await signer.sign(origin), Buffer.alloc(200))).toBe(400)
  const unknown = { authorization: await signer.sign(origin), body }
  expect(await service.receive('/local/push/unknown', unknown)).toBe(410)
  expect(service.list()).toEqual([])
})
