/** @module-tag long */
import { SignUpCommand } from '@aws-sdk/client-cognito-identity-provider'
import { once } from 'node:events'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxHeaders, sandboxPage } from '../../infra/aws/app-sandbox-page.ts'
import { securityHeaders } from '../../infra/aws/security-headers.ts'
import { converse } from '../support/belongings.ts'
import '../support/expect-refusal.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { sendBytes, sendRaw } from '../support/raw-http.ts'
import { openUserPool } from '../support/stack-user.ts'
import { waitLimitMs } from '../support/time-limits.ts'

let stack: LocalStack
beforeAll(async () => {
  stack = await startStack({
    env: {
      ASSISTANT_NAME: 'Iris',
      BRAND_NAME: 'Iris & Co',
      TOKENS_PER_DAY: '1',
      // multiplies the limits per minute only: a test checks the tokens per day
      RATE_LIMIT_FACTOR: '10',
      MIN_PASSWORD_CHARACTERS: '12',
      SHARING: 'off',
    },
  })
})
afterAll(() => stack.stop())

/** Whether anything accepts a connection there. */
async function isListening(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port }).setTimeout(waitLimitMs)
  try {
    await Promise.race([
      once(socket, 'connect'),
      once(socket, 'timeout').then(() => Promise.reject(new Error('silent'))),
    ])
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function readAppsOrigin(): Promise<string> {
  const config = (await (await fetch(`${stack.origin}/config.json`)).json()) as { appsOrigin: string }
  return config.appsOrigin
}

describe('every response', () => {
  it.each([
    ['the page', '/', 200],
    ['a page inside', '/settings', 200],
    ['a script', '/theme.js', 200],
    ['a missing script', '/assets/none.js', 404],
    ['the configuration', '/config.json', 200],
    ['the mailbox', '/local/mail', 200],
    ['the mails', '/local/mail.json', 200],
    ['what is not there', '/local/nothing', 404],
    ['the health check', '/api/health', 200],
    ['a refusal', '/api/sessions', 401],
    ['an unknown route', '/api/nothing', 404],
  ])('%s carries the security headers of one definition', async (_, path, status) => {
    const { cognito, s3 } = await stack.endpoints()
    const response = await sendRaw(stack.origin, { path })
    expect(response.status).toBe(status)
    expect(response.headers).toMatchObject(
      securityHeaders({
        connectOrigins: [cognito, s3],
        imageOrigins: [s3],
        appsOrigin: await readAppsOrigin(),
      }),
    )
    expect(response.headers['content-security-policy']).toContain("script-src 'self';")
    expect(response.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(response.headers).not.toHaveProperty('x-powered-by')
    expect(response.headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('of a stream carries the security headers, too', async () => {
    const user = await stack.newUser()
    const response = await fetch(`${stack.origin}/functions/v1/chat-openai`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.accessToken}`, accept: 'text/event-stream' },
      body: JSON.stringify({ messages: [{ role: 'user', content: '/echo Hi' }] }),
    })
    await response.text()
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'")
  })

  it('does not allow other origins to call', async () => {
    const response = await sendRaw(stack.origin, {
      method: 'OPTIONS',
      path: '/api/sessions',
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
    })
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('only this machine', () => {
  it('every listener is on the loopback interface', async () => {
    const { hostname, port } = new URL(stack.origin)
    expect(hostname).toBe('127.0.0.1')
    const addresses = Object.values(await stack.endpoints()).filter((value) => URL.canParse(value))
    const ports = [port, ...addresses.map((url) => new URL(url).port)].map(Number)
    expect(new Set(ports).size).toBe(8)
    const own = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, scopeid }) => !internal && !scopeid)
      .map(({ address }) => address)
    for (const listenerPort of ports) {
      expect(await isListening('127.0.0.1', listenerPort)).toBe(true)
      for (const address of ['127.0.0.2', '::1', ...own])
        expect({ address, isListening: await isListening(address, listenerPort) }).toEqual({
          address,
          isListening: false,
        })
    }
  })

  it.each([
    'elsewhere.example',
    '127.0.0.1.elsewhere.example',
    'localhost.elsewhere.example:4000',
    '127.0.0.2',
    '[::1]',
    '10.0.0.1',
  ])('the foreign name %j, which may have been rebound, is refused', async (host) => {
    for (const path of ['/', '/api/health', '/config.json', '/local/mail.json'])
      expect(await sendRaw(stack.origin, { path, headers: { host } })).toRefuse({
        status: 403,
        code: 'foreign_host',
      })
  })

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST:4000', '127.0.0.1:1'])(
    'the name %s is accepted',
    async (host) => {
      expect((await sendRaw(stack.origin, { path: '/api/health', headers: { host } })).status).toBe(200)
    },
  )

  it('a request without a host name is refused', async () => {
    const response = await sendBytes(stack.origin, 'GET /local/mail.json HTTP/1.0\r\n\r\n')
    expect(response).toMatch(/^HTTP\/1\.1 40[03] /)
    expect(response).not.toContain('[{')
  })

  it('an absolute URL in the request line does not bypass the check', async () => {
    const lines = [
      'GET http://127.0.0.1/local/mail.json HTTP/1.1',
      'host: elsewhere.example',
      'connection: close',
    ]
    const response = await sendBytes(stack.origin, `${lines.join('\r\n')}\r\n\r\n`)
    expect(response).toMatch(/^HTTP\/1\.1 403 /)
  })
})

it('DEC-185 the origin of apps serves one document, for this page only, and no API', async () => {
  const origin = await readAppsOrigin()
  expect(origin).not.toBe(stack.origin)
  for (const path of ['/', '/api/health', '/config.json']) {
    const { status, headers, text } = await sendRaw(origin, { path })
    expect([status, text]).toEqual([200, sandboxPage])
    expect(headers).toMatchObject(sandboxHeaders({ frameAncestors: stack.origin }))
  }
  expect((await fetch(origin, { method: 'POST' })).status).toBe(405)
})

describe('files for the page', () => {
  it('GET /config.json names pool, client and the demo, and no secret', async () => {
    const config = (await (await fetch(`${stack.origin}/config.json`)).json()) as Record<string, unknown>
    const { cognito } = await stack.endpoints()
    expect(config).toEqual({
      region: 'us-east-1',
      userPoolId: expect.stringMatching(/^us-east-1_\w+$/) as string,
      userPoolClientId: expect.stringMatching(/^\w{10,}$/) as string,
      userPoolEndpoint: cognito,
      oauthDomain: cognito,
      assistantName: 'Iris',
      brandName: 'Iris & Co',
      minPasswordCharacters: 12,
      signUp: 'open',
      sharing: false,
      appsOrigin: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      models: [
        {
          id: 'juno-demo',
          name: 'juno-demo',
          vision: true,
          efforts: [],
          isDefault: true,
          contextTokens: 32_000,
        },
      ],
      mailbox: '/local/mail',
      demo: { model: true, providers: true },
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
    })
    expect(await (await fetch(`${stack.origin}/api/health`)).json()).toEqual({
      ok: true,
      version: config['version'],
    })
  })

  it('GET /local/mail.json lists every mail, newest first, or those to an address', async () => {
    const first = await stack.newUser({ name: 'First' })
    const second = await stack.newUser({ name: 'Second' })
    const mails = (await (await fetch(`${stack.origin}/local/mail.json`)).json()) as Record<string, string>[]
    expect(mails.slice(0, 2).map(({ to }) => to)).toEqual([second.email, first.email])
    const toFirst = await (await fetch(`${stack.origin}/local/mail.json?to=${first.email}`)).json()
    expect(toFirst).toEqual(mails.filter(({ to }) => to === first.email))
    for (const mail of mails)
      expect(mail).toEqual({
        id: expect.any(String) as string,
        to: expect.stringMatching(/@/) as string,
        subject: expect.stringContaining('Iris') as string,
        text: expect.stringContaining(stack.origin) as string,
        html: expect.stringMatching(/^<!doctype html>/) as string,
        sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      })
  })

  it('an unknown address returns the page itself, whatever it looks like', async () => {
    const page = (await sendRaw(stack.origin, { path: '/' })).text
    expect(page).toContain('<div id="root">')
    for (const path of [
      '/nothing',
      '/oauth/callback?code=1',
      '/oauth/server-callback/0123456789abcdef?code=1',
      '/API/health',
      '//api/health',
      '/%2e%2e/etc/passwd',
      '/..%2f..%2fpackage.json',
      '/.git/config',
      '/%00',
      '/%',
    ])
      expect({ path, ...(await sendRaw(stack.origin, { path })) }).toMatchObject({
        path,
        status: 200,
        text: page,
      })
  })
})

describe('settings from the environment', () => {
  it('DEC-106 the daily tokens apply', async () => {
    const user = await stack.newUser()
    const send = () => user.send('chat.send', { body: { messages: [{ role: 'user', content: '/echo Hi' }] } })
    expect(await send()).toMatchObject({ status: 200, body: { success: true } })
    expect(await send()).toMatchObject({ status: 429, body: { code: 'budget' } })
  })

  it('LIM-08 AUTH-11 the page and the pool require the same password length', async () => {
    const config = (await (await fetch(`${stack.origin}/config.json`)).json()) as Record<string, unknown>
    expect(config).toMatchObject({ minPasswordCharacters: 12 })
    const { cognito } = await stack.endpoints()
    const { client, ClientId } = await openUserPool({ origin: stack.origin, cognito })
    const signUp = (Password: string) =>
      client.send(
        new SignUpCommand({
          ClientId,
          Username: `${crypto.randomUUID()}@example.org`,
          Password,
          UserAttributes: [{ Name: 'name', Value: 'Ann' }],
        }),
      )
    await expect(signUp('12345678901')).rejects.toMatchObject({ name: 'InvalidPasswordException' })
    await expect(signUp('123456789012')).resolves.toMatchObject({ UserConfirmed: false })
    client.destroy()
  })

  it('with sharing switched off no link can be created or opened, but the list of links is served', async () => {
    const ann = await stack.newUser()
    const sessionId = await converse(ann, '/echo Hi')
    expect(await ann.send('shares.create', { params: { sessionId }, body: { days: 7 } })).toMatchObject({
      status: 403,
      body: { code: 'sharing_off' },
    })
    expect(await ann.call('shares.list')).toEqual({ shares: [] })
    const view = await ann.send('shares.view', { body: { secret: 'A'.repeat(43), page: 1 } })
    expect(view).toMatchObject({ status: 404, body: { success: false, code: 'share_not_found' } })
    expect(await (await fetch(`${stack.origin}/config.json`)).json()).toMatchObject({ sharing: false })
  })
})

it('SIGINT ends the product like SIGTERM', { tags: 'trial' }, async () => {
  const own = await startStack()
  expect(await own.kill('SIGINT')).toBe(0)
  expect(await isListening('127.0.0.1', Number(new URL(own.origin).port))).toBe(false)
  await own.stop()
})
