import { beforeAll, describe, expect, it } from 'vitest'
import { maxMessageCharacters, maxMessagesPerRequest, maxSystemPromptCharacters } from '#shared/limits.ts'
import { routes, type Route, type RouteName } from '#shared/routes.ts'
import { routeContracts, type RouteContract } from '#shared/contracts/route-contracts.ts'
import { importBody, pushBrowser } from '../support/belongings.ts'
import '../support/expect-refusal.ts'
import { firstOfNine, tierOf } from '../support/matrix.ts'
import { sendBytes, sendRaw, type RawReply, type RawRequest } from '../support/raw-http.ts'
import { grantAdmin } from '../support/grant-admin.ts'
import { demoStack } from '../support/shared-stack.ts'
import { signInUser, type StackUser } from '../support/stack-user.ts'

const allRoutes = Object.entries(routes) as [RouteName, Route][]
const userRoutes = allRoutes.filter(([, { access }]) => access === 'user')
const routesWithId = userRoutes.filter(([, { path }]) => path.includes('{sessionId}'))
const routesWithBody = allRoutes.filter(
  ([name, { access }]) =>
    (access === 'user' || access === 'admin') && (routeContracts[name] as RouteContract).request,
)
const namesWithBody = routesWithBody.map(([name], index) => ({ name, index }))

const megabyte = 1024 * 1024
const tooDeepText = 'The request is nested too deeply.'
const protoText = 'The request has a field that is not allowed: __proto__.'

const stack = await demoStack()
const printedBefore = stack.output().length
let ann: StackUser
/** a user who requests an erasure, so that Ann stays */
let leavingUser: StackUser
let administrator: StackUser
beforeAll(async () => {
  ann = await stack.newUser()
  leavingUser = await stack.newUser()
  const user = await stack.newUser()
  await grantAdmin(stack, user.email)
  administrator = await signInUser({ origin: stack.origin, cognito: (await stack.endpoints()).cognito }, user)
})

const send = (request: RawRequest): Promise<RawReply> =>
  sendRaw(stack.origin, {
    ...request,
    headers: { authorization: `Bearer ${ann.accessToken}`, ...request.headers },
  })

const buildPath = ({ path }: Route, id = 'nothing-here') => path.replaceAll(/\{\w+\}/g, id)

const findCaller = (name: RouteName) =>
  name === 'account.erase' ? leavingUser : routes[name].access === 'admin' ? administrator : ann

const call = (name: RouteName, body?: string | Uint8Array) =>
  send({
    method: routes[name].method,
    path: buildPath(routes[name]),
    body,
    headers: { authorization: `Bearer ${findCaller(name).accessToken}` },
  })

const validBodies: Partial<Record<RouteName, Record<string, unknown>>> = {
  'chat.send': {
    messages: [{ role: 'user', content: '/echo Fine.', attachments: [] }],
    connectedTools: [],
    systemPrompt: 'Be kind.',
    integrationContext: { connectedCount: 0, availableCapabilities: [], integrationList: [] },
    sessionId: 'a-session',
    messageId: 'a-message',
  },
  'runs.stop': { runId: 'a-run' },
  'runs.answer': { runId: 'a-run', callId: 'a-call', approved: true },
  'runs.checkTask': { runId: 'a-run', callId: 'a-call' },
  'sessions.update': { title: 'A title' },
  'sessions.showVersion': { message_id: 'm1' },
  'sessions.copy': { message_id: 'm1' },
  'sessions.rate': { feedback: { rating: 'up' } },
  'imports.add': importBody('00000000-0000-4000-8000-000000000001', 'Rome'),
  'projects.create': { name: 'Thesis', instructions: 'Be brief.' },
  'projects.update': { instructions: 'Be brief.' },
  'assistants.publish': { audience: 'everyone' },
  'assistants.copy': { id: '00000000-0000-4000-8000-000000000002' },
  'prompts.create': { name: 'Brief', text: 'In one sentence:' },
  'prompts.update': { name: 'Brief', text: 'In one sentence:' },
  'shares.create': { days: 7 },
  'files.presign': { name: 'a.txt', type: 'text/plain', size: 1 },
  'documents.analyze': { file: { name: 'a.txt' }, analysisType: 'analyze' },
  'documents.query': {
    sql: 'SELECT 1',
    tables: [{ table: 'x', file_id: 'nothing-here', key: 't1' }],
    format: 'rows',
  },
  'credentials.manage': { action: 'retrieve', mcpId: 'nothing-here' },
  'oauth.handle': { action: 'refresh', mcpId: 'nothing-here' },
  'registry.sync': { trigger: 'manual', enhanced: true },
  'registry.refresh': { kind: 'refresh' },
  'integrations.cleanup': {},
  'integrations.connect': { credentials: {}, environment: 'production', parameters: {} },
  'integrations.disconnect': {},
  'integrations.refresh': {},
  'customTools.add': { name: 'A tool', description: 'Text', config: {} },
  'customTools.test': { config: { serverUrl: '' } },
  'customTools.setKey': { apiKey: 'a-key' },
  'schedules.create': {
    prompt: 'Say hello',
    rule: { kind: 'daily', time: '08:00' },
    time_zone: 'Europe/Berlin',
  },
  'schedules.update': { prompt: 'Say good morning' },
  'apps.open': { mcp_id: 'nothing-here', tool: 'a-tool' },
  'apps.call': { mcp_id: 'nothing-here', name: 'a-tool', arguments: {} },
  'drive.upload': { file_id: 'nothing-here' },
  'account.save': { display_name: 'Ann', avatar_id: '00000000-0000-4000-8000-000000000000' },
  'account.settings': { keep_conversations: true, store_uploads: true, theme: 'dark' },
  'account.uploadAvatar': { data: Buffer.from('RIFF\0\0\0\0WEBP', 'latin1').toString('base64') },
  'account.erase': { confirm: 'DELETE' },
  'push.subscribe': pushBrowser('valid-body'),
  'push.unsubscribe': { endpoint: pushBrowser('valid-body').endpoint },
  'push.pageOpen': { language: 'en' },
  'memory.add': { text: 'Lives in Oslo' },
  'memory.update': { text: 'Lives in Bergen', version: 1 },
  'mfa.setup': { action: 'verify', token: '123456' },
  'admin.setGroups': { add: [], remove: [] },
  'admin.deleteUser': { confirm: 'bob@example.org' },
  'admin.invite': { email: 'bob@example.org', days: 7, groups: [] },
  'admin.createGroup': { name: 'staff', description: 'Text', limits: {} },
  'admin.updateGroup': { description: 'Text', limits: {}, version: 1 },
  'admin.updateSite': { instructions: 'Be kind.' },
}

/** The statuses of valid bodies for an account without data; 404 if not listed. */
const validBodyStatuses: Partial<Record<RouteName, number>> = {
  'chat.send': 200,
  'imports.add': 200,
  'projects.create': 200,
  'prompts.create': 200,
  'files.presign': 200,
  'registry.sync': 200,
  'registry.refresh': 200,
  'integrations.cleanup': 200,
  'customTools.add': 200,
  // accepted, and then refused because there is nothing to ask
  'customTools.test': 400,
  'schedules.create': 200,
  // nothing is connected
  'drive.upload': 409,
  'account.settings': 200,
  'account.uploadAvatar': 200,
  'account.erase': 200,
  'push.subscribe': 200,
  'push.unsubscribe': 200,
  'push.pageOpen': 200,
  'memory.add': 200,
  'mfa.setup': 409,
  'admin.invite': 200,
  'admin.createGroup': 200,
  'admin.updateSite': 200,
}

/** Values of other types. */
function otherKinds(value: unknown): unknown[] {
  const kinds = ['text', 7, true, [1], { a: 1 }]
  const getKind = (one: unknown) => (Array.isArray(one) ? 'list' : typeof one)
  return kinds.filter((one) => getKind(one) !== getKind(value))
}

it('every route that takes a body has a case', () => {
  expect(Object.keys(validBodies)).toEqual(routesWithBody.map(([name]) => name))
})

describe.each(namesWithBody)('the body of $name', ({ name, index }) => {
  const validBody = validBodies[name] ?? {}

  it('control: the valid body is accepted, so that no case fails for another reason', async () => {
    const reply = await call(name, JSON.stringify(validBody))
    expect(reply).toMatchObject({ status: validBodyStatuses[name] ?? 404 })
  })

  it('refuses an unknown field by name', async () => {
    const knownFields = name === 'documents.analyze' ? ['userId'] : []
    for (const field of ['surprise', 'constructor', 'userId', 'toString', ''].filter(
      (one) => !knownFields.includes(one),
    )) {
      const reply = await call(name, JSON.stringify({ ...validBody, [field]: 1 }))
      expect(reply).toRefuse({ status: 400, code: 'bad_request' })
      expect(JSON.parse(reply.text)).toMatchObject({ error: expect.stringContaining(`"${field}"`) as string })
    }
  })

  it('refuses every field of a wrong type', firstOfNine(index), async () => {
    for (const [field, value] of Object.entries(validBody)) {
      for (const wrongValue of otherKinds(value)) {
        const reply = await call(name, JSON.stringify({ ...validBody, [field]: wrongValue }))
        expect(reply).toRefuse({
          status: 400,
          code: 'bad_request',
          about: `${field}: ${JSON.stringify(wrongValue)}`,
        })
        expect(reply.text).toContain(field)
      }
    }
  })

  it('refuses impossible ids', async () => {
    const fields = Object.keys(validBody).filter((field) => /(Id|_id)$/.test(field))
    for (const field of fields)
      expect(await call(name, JSON.stringify({ ...validBody, [field]: 'x'.repeat(5_000) }))).toRefuse()
  })

  it(
    'refuses a body one byte over the limit with 413, and accepts one at the limit',
    firstOfNine(index),
    async () => {
      const { maxBodyBytes } = routes[name]
      const text = JSON.stringify(validBody)
      const padTo = (bytes: number) => text + ' '.repeat(bytes - text.length)
      expect(await call(name, padTo(maxBodyBytes + 1))).toRefuse({ status: 413, code: 'body_too_large' })
      expect((await call(name, padTo(maxBodyBytes))).status).not.toBe(413)
    },
  )
})

// the routes share what reads a body, before a contract sees it
describe.each(namesWithBody)('a malformed body of $name', ({ name, index }) => {
  it.each([
    ['no JSON', 'hello'],
    ['half of an object', '{"messages":'],
    ['two objects', '{}{}'],
    ['a string', '"text"'],
    ['a number', '7'],
    ['null', 'null'],
    ['true', 'true'],
    ['a list', '[]'],
    ['a comment', '{/* */}'],
    ['NaN', '{"messages":NaN}'],
    ['white space', '   '],
    ['a byte order mark alone', '\ufeff'],
    ['a null byte', '\0'],
    ['a null byte in a string', '{"a":"\0"}'],
    ['10,000 lists', '['.repeat(10_000)],
    ['10,000 lists, closed', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['10,000 objects', '{"a":'.repeat(10_000)],
    ['a million quotes', '"'.repeat(1_000_000)],
  ])('refuses %s', tierOf(index), async (_, body) => {
    const reply = await call(name, body)
    expect(reply).toRefuse(body.length > routes[name].maxBodyBytes ? { status: 413 } : { status: 400 })
  })

  it.each([
    ['2,000 lists', '['.repeat(2_000), tooDeepText],
    ['2,000 lists, closed', '['.repeat(2_000) + ']'.repeat(2_000), tooDeepText],
    ['800 objects', '{"a":'.repeat(800), tooDeepText],
    ['__proto__', '{"__proto__":{"admin":true}}', protoText],
    ['an escaped __proto__', '{"\\u005f_proto__":{"admin":true}}', protoText],
    ['__proto__ deep within', '{"a":[{"b":{"__proto__":1}}]}', protoText],
  ])('refuses %s before anything parses its content', tierOf(index), async (_, body, error) => {
    const reply = await call(name, body)
    expect(reply).toRefuse({ status: 400, code: 'bad_request' })
    expect(JSON.parse(reply.text)).toMatchObject({ error })
  })

  it.each([
    ['a stray byte', [0xff]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['half of a surrogate pair', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a cut letter', [0x22, 0xe2, 0x82, 0x22]],
    ['UTF-16', [...Buffer.from('{"a":1}', 'utf16le'), 0xff]],
  ])('refuses %s: no UTF-8', tierOf(index), async (_, bytes) => {
    const inString = Buffer.concat([Buffer.from('{"runId":"'), Buffer.from(bytes), Buffer.from('"}')])
    for (const bytesSent of [Uint8Array.from(bytes), inString]) {
      const reply = await call(name, bytesSent)
      expect(reply).toRefuse({ status: 400, code: 'bad_request' })
      expect(reply.text).toContain('not valid UTF-8')
    }
  })
})

describe('a body that the route does not take', () => {
  it.each(allRoutes.filter(([, { method }]) => method !== 'POST'))('%s', async (name) => {
    for (const body of ['hello', '['.repeat(10_000), '\xff\0']) {
      const reply = await call(name, body)
      expect(reply.status).toBeLessThan(500)
      expect(reply.headers['content-type']).toMatch(/^application\/json/)
    }
  })
})

/** The gateway refuses it for all routes in the same way; the routes' own limits are tested individually above. */
describe('a large body', () => {
  it.each([10, 11])('of %i MB gets 413, and the connection is not reset', async (size) => {
    for (const name of ['chat.send', 'account.save', 'documents.analyze'] as const) {
      const text = JSON.stringify({ ...validBodies[name], padding: 'x'.repeat(size * megabyte - 1_000) })
      expect(await call(name, text)).toRefuse({ status: 413, code: 'body_too_large', about: name })
    }
  })

  it.each(['GET', 'PATCH', 'DELETE'])('is refused by a route that takes none: %s', async (method) => {
    const name = allRoutes.find(([, route]) => route.method === method)?.[0]
    if (!name) throw new Error(`no route of ${method}`)
    expect(await call(name, 'x'.repeat(11 * megabyte))).toRefuse({ status: 413, code: 'body_too_large' })
  })
})

describe('chat', () => {
  const chat = (body: unknown) => call('chat.send', typeof body === 'string' ? body : JSON.stringify(body))
  const user = (content: string) => ({ role: 'user', content })

  it('requires a body', async () => {
    expect(await chat('')).toRefuse({ status: 400, code: 'bad_request' })
    expect(await chat({})).toRefuse({ status: 400, code: 'bad_request' })
  })

  it('DEC-011 strips unknown fields inside the specification’s own objects', async () => {
    const reply = await chat({
      messages: [{ ...user('/echo Fine.'), timestamp: 1, attachments: [] }],
      connectedTools: [{ mcp_id: 'a', mcp_name: 'b', secret: 'c' }],
      integrationContext: { connectedCount: 0, availableCapabilities: [], integrationList: [], more: {} },
    })
    expect(JSON.parse(reply.text)).toMatchObject({ success: true, content: 'Fine.' })
  })

  it('accepts null for optional fields of the specification', async () => {
    const message = { ...user('/echo Fine.'), attachments: null }
    const reply = await chat({
      messages: [message],
      connectedTools: null,
      systemPrompt: null,
      integrationContext: null,
    })
    expect(reply.status).toBe(200)
  })

  it.each([
    ['no message', { messages: [] }],
    ['a last message of the assistant', { messages: [user('Hi'), { role: 'assistant', content: 'Hello' }] }],
    ['a blank last message', { messages: [user(' \n\t ')] }],
    ['another role', { messages: [{ role: 'system', content: 'Obey.' }] }],
    ['no content', { messages: [{ role: 'user' }] }],
    ['content as a list', { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] }],
    ['__proto__ within', '{"messages":[{"role":"user","content":"Hi","__proto__":{"a":1}}]}'],
    ['a text too long', { messages: [user('x'.repeat(maxMessageCharacters + 1))] }],
    ['too many messages', { messages: Array.from({ length: maxMessagesPerRequest + 1 }, () => user('Hi')) }],
    ['a hint too long', { messages: [user('Hi')], systemPrompt: 'x'.repeat(maxSystemPromptCharacters + 1) }],
    [
      '11 attachments',
      { messages: [{ ...user('Hi'), attachments: Array.from({ length: 11 }, () => ({})) }] },
    ],
    ['a negative size', { messages: [{ ...user('Hi'), attachments: [{ size: -1 }] }] }],
    ['a half connection', { messages: [user('Hi')], connectedTools: [{ mcp_id: 'a' }] }],
    ['a session id with a separator', { messages: [user('Hi')], sessionId: 'a#b' }],
    ['an empty session id', { messages: [user('Hi')], sessionId: '' }],
    ['a session id of 65', { messages: [user('Hi')], sessionId: 'x'.repeat(65) }],
    ['a message id with a slash', { messages: [user('Hi')], sessionId: 'a', messageId: '../b' }],
  ])('refuses %s', async (_, body) => {
    expect(await chat(body)).toRefuse({ status: 400, code: 'bad_request' })
  })

  it.each([
    ['a null byte', 'a\0b'],
    ['half of a surrogate pair', 'a\ud800b'],
    ['control characters', Array.from({ length: 32 }, (_, unit) => String.fromCharCode(unit)).join('')],
    ['right-to-left marks and joiners', '\u202e\u200d\ufeff👩‍👩‍👧'],
    ['the frame of an event', 'data: [DONE]\n\nid: 1\n\n'],
    ['the longest text of the widest letters', '€'.repeat(maxMessageCharacters - 6)],
  ])('stores and returns %s', async (_, text) => {
    const sessionId = crypto.randomUUID()
    const content = `/echo ${text}`
    const reply = await chat({ messages: [user(content)], sessionId })
    expect(reply.status).toBe(200)
    const { messages } = await ann.call('sessions.read', { params: { sessionId } })
    // a lone surrogate becomes the replacement character, as in any text that JavaScript encodes
    expect(messages[0]?.content).toBe(content.toWellFormed())
    expect(messages).toHaveLength(2)
  })
})

describe('addresses', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']

  it.each(allRoutes)('%s answers its own method only', async (_, route) => {
    const allowedMethods = allRoutes
      .filter(([, { path }]) => path === route.path)
      .map(([, { method }]) => method)
    for (const method of methods.filter((one) => !allowedMethods.includes(one as Route['method']))) {
      const reply = await send({ method, path: buildPath(route), body: '{}' })
      expect(reply).toRefuse({ status: 405, code: 'method_not_allowed', about: method })
    }
    const head = await send({ method: 'HEAD', path: buildPath(route) })
    expect(head).toMatchObject({ status: 405, text: '' })
  })

  it.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/api/sessions/',
    '/api/sessions//run/stop',
    '/api/sessions/a/run',
    '/api/sessions/a/run/events/',
    '/api/health/',
    '/api//health',
    '/api/Health',
    '/api/%68ealth',
    '/api/constructor',
    '/api/__proto__',
    '/api/%',
    '/functions',
    '/functions/v1/',
    '/functions/v1/chat-openai/',
    '/functions/v1/nothing',
    '/functions/v2/chat-openai',
    '/functions/../api/nothing',
    '/api/../functions/v1/../../api/nothing',
    `/api/${'x'.repeat(10_000)}`,
  ])('%s does not exist', async (path) => {
    for (const method of ['GET', 'POST'])
      expect(await send({ method, path })).toRefuse({ status: 404, code: 'not_found' })
  })

  const oddIds = [
    'a%2Fb',
    '..%2F..%2Fsessions',
    '%2e%2e%2fa',
    '%23',
    'a%23b',
    'S%23a',
    '%00',
    'a%00',
    '%E0%A4%A',
    '%ff',
    '%',
    '%20',
    'a%20b',
    'a;b=c',
    'a,b',
    "'%20OR%201=1",
    '*',
    '{sessionId}',
    '%F0%9F%91%8B',
    '%E2%80%AE',
    'x'.repeat(65),
    'x'.repeat(2_000),
    '%41'.repeat(2_000),
    'constructor%20',
  ]

  it.each(routesWithId)('%s refuses malformed ids', async (name, route) => {
    const body = routesWithBody.some(([one]) => one === name) ? JSON.stringify(validBodies[name]) : undefined
    for (const id of oddIds) {
      const reply = await send({ method: route.method, path: buildPath(route, id), body })
      expect(reply).toRefuse({ status: 404, about: id })
    }
  })

  it.each(routesWithId)('%s returns 404 for ids that do not exist', async (name, route) => {
    const body = routesWithBody.some(([one]) => one === name) ? JSON.stringify(validBodies[name]) : undefined
    for (const id of ['x', '__proto__', 'constructor', 'null', 'undefined', '0', '-', 'x'.repeat(64)]) {
      const reply = await send({ method: route.method, path: buildPath(route, id), body })
      expect(reply).toRefuse({ status: 404, about: id })
    }
  })

  it.each(['x', '1', '000001', '000001#4', '0000001#1', '999999%231%00', '__proto__'])(
    'the invalid cursor %s is refused',
    async (before) => {
      const path = `${buildPath(routes['sessions.read'])}?before=${before.replace('#', '%23')}`
      expect(await send({ path })).toRefuse({ status: 400, code: 'bad_request' })
    },
  )

  it('ignores unknown query parameters', async () => {
    const reply = await send({ path: '/api/sessions?limit=1&__proto__=2&limit=3&%ff=%00&=&&' })
    expect(reply.status).toBe(200)
  })
})

describe('malformed requests', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['a header without a name', 'GET /api/health HTTP/1.1\r\nhost: localhost\r\n: x\r\n\r\n'],
    [
      'two lengths',
      'POST /api/health HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    ],
    [
      'a length and chunks',
      'POST /api/health HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a header of 100 KB',
      `GET /api/health HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
    ],
    ['an address of 100 KB', `GET /api/${'y'.repeat(100_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`],
    [
      'a broken chunk',
      'POST /api/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    ],
  ])('%s gets an error in the common format', async (_, bytes) => {
    const { host } = new URL(stack.origin)
    const response = await sendBytes(stack.origin, bytes.replace('host: localhost', `host: ${host}`))
    const [head = '', text = ''] = response.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(JSON.parse(text)).toMatchObject({ success: false, error: expect.any(String) as string })
  })

  it('a sender that disconnects half-way is not an error', async () => {
    const controller = new AbortController()
    const sending = fetch(`${stack.origin}/functions/v1/chat-openai`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ann.accessToken}` },
      duplex: 'half',
      signal: controller.signal,
      body: new ReadableStream({
        pull(body) {
          body.enqueue(Buffer.from('{"messages":['))
          controller.abort()
        },
      }),
    } as RequestInit)
    await expect(sending).rejects.toThrow(/abort/)
  })
})

it('afterwards the server still works, and has logged no error of its own', async () => {
  expect(await (await fetch(`${stack.origin}/api/health`)).json()).toMatchObject({ ok: true })
  expect(await ann.send('sessions.list')).toMatchObject({ status: 200 })
  expect(stack.output().slice(printedBefore)).not.toMatch(/unhandled|failed|error /)
})
