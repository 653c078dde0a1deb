/** @module-tag long */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { childEnvironment } from '../support/child-environment.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { sendBytes } from '../support/raw-http.ts'

// what `npm start` does besides serving requests: ports, folders, signals, kills, hosts, large bodies

let stack: LocalStack

beforeAll(async () => {
  stack = await startStack({ fromSources: true })
})

afterAll(() => stack.stop())

const ask = (content: string, sessionId = randomUUID()) => ({
  messages: [{ role: 'user' as const, content }],
  sessionId,
  messageId: randomUUID(),
})

const startAgain = (env: Record<string, string>) => run(['infra/local/main.ts', '--no-build'], env)

/** @returns both outputs together, and what was printed to the standard one */
async function run(
  command: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; output: string; printed: string }> {
  const child = spawn(process.execPath, command, {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...childEnvironment, ...env },
  })
  let output = ''
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
      if (stream === child.stdout) printed += text
    })
  await once(child, 'close')
  return { code: child.exitCode, output, printed }
}

it('gives the browser its configuration, without secrets', async () => {
  const response = await fetch(`${stack.origin}/config.json`)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toEqual({
    region: 'us-east-1',
    userPoolId: expect.stringMatching(/^us-east-1_\w{9}$/) as string,
    userPoolClientId: expect.stringMatching(/^[a-z0-9]{26}$/) as string,
    userPoolEndpoint: (await stack.endpoints()).cognito,
    oauthDomain: (await stack.endpoints()).cognito,
    assistantName: 'Juno',
    brandName: 'Juno',
    signUp: 'open',
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
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
  })
})

it('INFRA-16 one command calls one handler as a signed-in user', async () => {
  const body = { messages: [{ role: 'user', content: 'Hello' }] }
  const { code, output, printed } = await run(
    ['infra/local/invoke.ts', 'chat-openai', JSON.stringify(body)],
    {},
  )
  // logs are elsewhere: other programs read it
  expect(JSON.parse(printed)).toMatchObject({ success: true })
  expect(output).toContain('200 application/json')
  expect(output).toContain('"success":true,"content":"Hello! ')
  expect(code).toBe(0)
  expect(await run(['infra/local/invoke.ts', 'nothing'], {})).toMatchObject({
    code: 2,
    output: expect.stringContaining('sessions.list') as string,
  })
  expect(await run(['infra/local/invoke.ts', 'sessions.read', '{}'], {})).toMatchObject({
    code: 2,
    output: 'sessions.read needs --sessionId=….\nsessions.read takes no body.\n',
  })
})

it('keeps its data from other users of the machine, whatever the mode of the folder', async () => {
  const entries = await readdir(stack.dataDir, { recursive: true })
  const modes = await Promise.all(
    entries.map(async (name) => ({ name, open: (await stat(join(stack.dataDir, name))).mode & 0o077 })),
  )
  expect(modes.length).toBeGreaterThan(3)
  expect(modes.filter(({ open }) => open !== 0)).toEqual([])
})

it('prints one line that begins with Ready', () => {
  expect(stack.output().match(/^Ready .*$/gm)).toEqual([`Ready ${stack.origin}`])
})

it('exits with an explanation when the port is taken', async () => {
  const { port } = new URL(stack.origin)
  const dataDir = await mkdtemp(join(tmpdir(), 'juno-second-'))
  const { code, output } = await startAgain({ PORT: port, LOCAL_DATA_DIR: dataDir })
  await rm(dataDir, { recursive: true })
  expect(code).toBe(1)
  expect(output).toContain(`Port ${port} is already in use.`)
})

it('refuses a data folder that another process has open', { tags: 'trial' }, async () => {
  const { code, output } = await startAgain({ PORT: '0', LOCAL_DATA_DIR: stack.dataDir })
  expect(code).toBe(1)
  expect(output).toBe(`The data folder ${stack.dataDir} is in use by another running copy.\n`)
})

it('names the sources in the stack of an error', async () => {
  // a file where the folder should be
  const dataDir = join(import.meta.filename, 'data')
  const { code, output } = await startAgain({ PORT: '0', DEBUG: '1', LOCAL_DATA_DIR: dataDir })
  expect(code).toBe(1)
  expect(output).toMatch(/at openLogFile .*infra\/local\/function-logs\.ts:\d+/)
})

it('names the invalid variable', async () => {
  const { code, output } = await startAgain({ PORT: 'four', OPENAI_BASE_URL: 'ftp://x' })
  expect(code).toBe(1)
  expect(output).toMatch(/^The environment is not valid\. PORT: .* OPENAI_BASE_URL: .*\.\n$/)
})

it('answers only to the names of this machine', async () => {
  const port = new URL(stack.origin).port
  const localhost = await sendBytes(
    stack.origin,
    `GET /api/health HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`,
  )
  expect(localhost).toMatch(/^HTTP\/1\.1 200 /)
  for (const host of [
    'attacker.example',
    `127.0.0.1.attacker.example:${port}`,
    'localhost@attacker.example',
    '',
  ]) {
    const foreign = await sendBytes(
      stack.origin,
      `GET /api/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    )
    expect(foreign).toMatch(/^HTTP\/1\.1 403 [\s\S]*"code":"foreign_host"/)
  }
})

it('answers malformed requests in the common error format', async () => {
  expect(await sendBytes(stack.origin, 'NONSENSE\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 400 [\s\S]*\{"success":false,"error":.*"code":"bad_request"/,
  )
  const long = `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`
  expect(await sendBytes(stack.origin, long)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"bad_request"/)
})

it('sends the security headers with every kind of response', async () => {
  for (const path of ['/api/health', '/api/unknown', '/config.json', '/local/mail', '/assets/none.js']) {
    const { headers } = await fetch(stack.origin + path)
    expect(headers.get('content-security-policy')).toMatch(/script-src 'self';.*frame-ancestors 'none'/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  }
})

it('returns 404 for unknown paths under /api, /functions, /local and /assets', async () => {
  for (const path of ['/api/nothing', '/functions/v1/nothing', '/local/nothing', '/api', '/functions']) {
    const reply = await fetch(stack.origin + path)
    expect(reply.status).toBe(404)
    expect(await reply.json()).toMatchObject({ success: false, code: 'not_found' })
  }
  const asset = await fetch(`${stack.origin}/assets/none-1234.js`)
  expect([asset.status, asset.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8'])
  for (const path of [
    '/assets/../../package.json',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/%2e%2e/package.json',
  ]) {
    const response = await sendBytes(
      stack.origin,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    )
    expect(response).not.toContain('"dependencies"')
  }
})

it('refuses bodies of 10 MB and more with 413', async () => {
  const user = await stack.newUser()
  const reply = await user.send('chat.send', { body: { ...ask('x'), systemPrompt: 'x'.repeat(11_000_000) } })
  expect(reply).toMatchObject({ status: 413, body: { success: false, code: 'body_too_large' } })
})

it(
  'keeps acknowledged messages and sign-ins when it is killed in the middle of a reply',
  { tags: 'trial' },
  async () => {
    const user = await stack.newUser()
    const question = ask('/slow 9000')
    for await (const { event } of user.stream(question))
      if (event !== '[DONE]' && event.type === 'text-delta') break
    await stack.kill('SIGKILL')
    await stack.restart()
    const { messages } = await user.call('sessions.read', { params: { sessionId: question.sessionId } })
    expect(messages[0]).toMatchObject({ role: 'user', content: '/slow 9000' })
    const mails = await stack.mail(user.email)
    expect(mails).toHaveLength(1)
  },
)

it('exits within 10 s of a signal although a reply is streaming', { tags: 'trial' }, async () => {
  const user = await stack.newUser()
  const reading = (async () => {
    for await (const { event } of user.stream(ask('/slow 9000'))) if (event === '[DONE]') return 'ended'
    return 'cut'
  })().catch(() => 'cut')
  while ((await stack.modelRequests()).open === 0) await new Promise(setImmediate)
  const startedAt = performance.now()
  expect(await stack.kill('SIGTERM')).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  expect(await reading).toBe('cut')
  await stack.restart()
})
