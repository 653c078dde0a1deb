import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { setImmediate as nextTick } from 'node:timers/promises'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { afterEach, expect, it, vi } from 'vitest'
import { apiFunctions } from '#shared/routes.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { type BufferedHandler, type Handlers, installLambdaRuntime, type StreamingHandler } from './lambda.ts'
import { listen, type LocalServer } from './listen.ts'
import type { ResponseStream } from './response-stream.ts'

installLambdaRuntime()
declare const awslambda: {
  HttpResponseStream: { from(stream: ResponseStream, prelude: object): ResponseStream }
}

const respondOk: BufferedHandler = async () => ({ statusCode: 200, body: '{}' })
const servers: LocalServer[] = []

async function start({
  sessions = respondOk,
  chat = respondOk,
  onFailure = () => undefined,
  replySeconds,
}: {
  sessions?: BufferedHandler
  chat?: StreamingHandler | BufferedHandler
  onFailure?: (error: unknown) => void
  replySeconds?: number
}) {
  const defaultEntries = Object.keys(apiFunctions).map((functionName) => [functionName, respondOk])
  const handlers = { ...Object.fromEntries(defaultEntries), sessions, chat } as Handlers
  const gateway: Gateway = createGateway(handlers, onFailure, replySeconds)
  const server = await listen(
    createServer((req, res) => void gateway.respond(req, res, new URL(req.url ?? '/', 'http://127.0.0.1'))),
  )
  servers.push(server)
  return { gateway, url: server.url, port: server.port }
}

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const waitUntil = async (condition: () => boolean) => {
  while (!condition()) await nextTick()
}

it.each([
  [undefined, 300],
  [840, 840],
])('with replySeconds %j a reply has %i seconds, and other functions 29', async (replySeconds, expected) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const seconds: Record<string, number> = {}
  const { url } = await start({
    ...(replySeconds !== undefined && { replySeconds }),
    sessions: async (_, context) => {
      seconds['sessions'] = context.getRemainingTimeInMillis() / 1_000
      return { statusCode: 200, body: '{}' }
    },
    chat: (async (_, stream, context) => {
      seconds['chat'] = context.getRemainingTimeInMillis() / 1_000
      awslambda.HttpResponseStream.from(stream, { statusCode: 200 }).end('x')
    }) satisfies StreamingHandler,
  })
  await fetch(`${url}/api/sessions`)
  await fetch(`${url}/functions/v1/chat-openai`, { method: 'POST', body: '{}' })
  expect(seconds).toEqual({ sessions: 29, chat: expected })
})

it('passes the function a REST proxy event, field by field', async () => {
  const events: APIGatewayProxyEvent[] = []
  let remainingMs = 0
  // no time passes between the call and the handler
  vi.useFakeTimers({ toFake: ['Date'] })
  const { port } = await start({
    sessions: async (event, context) => {
      events.push(event)
      remainingMs = context.getRemainingTimeInMillis()
      return { statusCode: 200, body: '{}' }
    },
  })
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `GET /api/sessions/a%20b?before=1&before=2&x=%26 HTTP/1.1\r\nHost: localhost:${port}\r\ntEsT-HEADeR: one\r\ntEsT-HEADeR: two\r\n` +
      'User-Agent: test\r\nConnection: close\r\n\r\n',
  )
  socket.resume()
  await once(socket, 'close')
  const [event] = events
  expect(event).toEqual({
    resource: '/api/sessions/{sessionId}',
    path: '/api/sessions/a%20b',
    httpMethod: 'GET',
    headers: {
      Host: `localhost:${port}`,
      'tEsT-HEADeR': 'two',
      'User-Agent': 'test',
      Connection: 'close',
      'X-Forwarded-For': '127.0.0.1',
      'X-Forwarded-Port': String(port),
      'X-Forwarded-Proto': 'http',
    },
    multiValueHeaders: expect.objectContaining({ 'tEsT-HEADeR': ['one', 'two'] }) as object,
    queryStringParameters: { before: '2', x: '&' },
    multiValueQueryStringParameters: { before: ['1', '2'], x: ['&'] },
    pathParameters: { sessionId: 'a b' },
    stageVariables: null,
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      authorizer: null,
      deploymentId: 'local',
      domainName: `localhost:${port}`,
      domainPrefix: 'local',
      extendedRequestId: expect.any(String) as string,
      httpMethod: 'GET',
      identity: expect.objectContaining({ sourceIp: '127.0.0.1', userAgent: 'test', user: null }) as object,
      path: '/local/api/sessions/a%20b',
      protocol: 'HTTP/1.1',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      requestTime: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/) as string,
      requestTimeEpoch: expect.any(Number) as number,
      resourceId: 'local',
      resourcePath: '/api/sessions/{sessionId}',
      stage: 'local',
    },
    body: null,
    isBase64Encoded: false,
  })
  expect(remainingMs).toBe(29_000)
})

it('passes null for empty values, text as text and other bytes as base64', async () => {
  const received: unknown[] = []
  const { url } = await start({
    sessions: async ({ queryStringParameters, pathParameters, multiValueQueryStringParameters }) => {
      received.push([queryStringParameters, pathParameters, multiValueQueryStringParameters])
      return { statusCode: 200, body: '{}' }
    },
    chat: async (event: APIGatewayProxyEvent, stream: ResponseStream) => {
      received.push([event.body, event.isBase64Encoded])
      awslambda.HttpResponseStream.from(stream, { statusCode: 200 }).write('')
    },
  })
  await fetch(`${url}/api/sessions`)
  const send = (body: string | Uint8Array) =>
    fetch(`${url}/functions/v1/chat-openai`, { method: 'POST', body })
  await send('{"ä":1}')
  await send(new Uint8Array([0x7b, 0xff, 0xfe]))
  expect(received).toEqual([
    [null, null, null],
    ['{"ä":1}', false],
    ['e//+', true],
  ])
})

it('answers unknown paths and methods, OPTIONS and HEAD itself', async () => {
  const { url } = await start({})
  const unknown = await fetch(`${url}/api/nothing`)
  expect(unknown.status).toBe(404)
  expect(await unknown.json()).toEqual({
    success: false,
    error: 'There is nothing at this address.',
    code: 'not_found',
    requestId: expect.any(String) as string,
  })
  expect((await fetch(`${url}/api/sessions/%`)).status).toBe(404)
  expect((await fetch(`${url}/api/sessions/`)).status).toBe(404)
  const put = await fetch(`${url}/api/sessions/1`, { method: 'PUT', body: 'x' })
  expect(put.status).toBe(405)
  expect(put.headers.get('allow')).toBe('GET, DELETE, PATCH')
  expect(await put.json()).toMatchObject({ success: false, code: 'method_not_allowed' })
  const options = await fetch(`${url}/api/sessions/1`, { method: 'OPTIONS' })
  expect([options.status, options.headers.get('allow')]).toEqual([405, 'GET, DELETE, PATCH'])
  const head = await fetch(`${url}/api/health`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([405, ''])
})

it(
  'refuses a body over 10 MB with 413 while it is still being sent, and keeps serving',
  { tags: 'long' },
  async () => {
    const { url } = await start({})
    const big = new Uint8Array(25 * 1024 * 1024)
    for (let n = 0; n < 3; n++) {
      const reply = await fetch(`${url}/functions/v1/chat-openai`, { method: 'POST', body: big })
      expect(reply.status).toBe(413)
      expect(await reply.json()).toMatchObject({ success: false, code: 'body_too_large' })
    }
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
  },
)

it.each([
  ['throws', async () => Promise.reject(new Error('bug'))],
  ['gives nothing', async () => undefined],
  ['gives no status', async () => ({ body: 'x' })],
  ['gives over 6 MB', async () => ({ statusCode: 200, body: 'x'.repeat(6_300_000) })],
])('returns 502 when the handler %s, and logs it', async (_, handler) => {
  const failures: unknown[] = []
  const { url } = await start({ sessions: handler, onFailure: (error) => failures.push(error) })
  const reply = await fetch(`${url}/api/sessions`)
  expect(reply.status).toBe(502)
  expect(await reply.json()).toMatchObject({ success: false, code: 'function_failed' })
  expect(failures).toHaveLength(1)
})

it('returns 504 when a buffered function takes longer than 29 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let called = false
  const { url } = await start({
    sessions: () => {
      called = true
      return new Promise(() => undefined)
    },
  })
  const reply = fetch(`${url}/api/sessions`)
  await waitUntil(() => called)
  vi.advanceTimersByTime(29_000)
  expect((await reply).status).toBe(504)
  expect(await (await reply).json()).toMatchObject({ success: false, code: 'timed_out' })
})

it('passes status, headers, cookies and chunks of a stream on as they arrive', async () => {
  let continueStream = () => undefined as void
  const { url } = await start({
    chat: async (_event: APIGatewayProxyEvent, stream: ResponseStream) => {
      const out = awslambda.HttpResponseStream.from(stream, {
        statusCode: 201,
        headers: { 'content-type': 'text/event-stream' },
        cookies: ['a=1', 'b=2'],
      })
      out.write('')
      out.write('first')
      await new Promise<void>((resolve) => {
        continueStream = resolve
      })
      out.end('second')
    },
  })
  const reply = await fetch(`${url}/functions/v1/chat-openai`, { method: 'POST', body: '{}' })
  expect(reply.status).toBe(201)
  expect(reply.headers.get('content-type')).toBe('text/event-stream')
  expect(reply.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  const reader = (reply.body as ReadableStream<Uint8Array>).getReader()
  const read = async () => Buffer.from((await reader.read()).value ?? []).toString()
  expect(await read()).toBe('first')
  continueStream()
  expect(await read()).toBe('second')
})

it('returns 502 for a stream that ends without a write, and cuts one that fails half-way', async () => {
  const { url } = await start({
    chat: async (event: APIGatewayProxyEvent, stream: ResponseStream) => {
      if (event.body === 'silent') return
      awslambda.HttpResponseStream.from(stream, { statusCode: 200 }).write('part')
      await new Promise(setImmediate)
      throw new Error('bug')
    },
  })
  const send = (body: string) => fetch(`${url}/functions/v1/chat-openai`, { method: 'POST', body })
  expect((await send('silent')).status).toBe(502)
  await expect(send('fail').then((reply) => reply.text())).rejects.toThrow('terminated')
})

it('lets the handler finish when the client has disconnected', async () => {
  let written = 0
  let finished = false
  let isDisconnected = false
  const { url, gateway } = await start({
    chat: async (_event: APIGatewayProxyEvent, stream: ResponseStream) => {
      const out = awslambda.HttpResponseStream.from(stream, { statusCode: 200 })
      out.write('start')
      await waitUntil(() => isDisconnected)
      for (; written < 1_000; written++)
        if (!out.write('x'.repeat(10_000))) await new Promise((resolve) => out.once('drain', resolve))
      await new Promise<void>((resolve) => out.end(resolve))
      finished = true
    },
  })
  const clientAbort = new AbortController()
  const reply = await fetch(`${url}/functions/v1/chat-openai`, {
    method: 'POST',
    body: '{}',
    signal: clientAbort.signal,
  })
  expect(reply.status).toBe(200)
  expect(gateway.countRunning()).toBe(1)
  clientAbort.abort()
  isDisconnected = true
  await waitUntil(() => gateway.countRunning() === 0)
  expect({ written, finished }).toEqual({ written: 1_000, finished: true })
})

it('makes a fast handler wait for a slow reader', async () => {
  let waits = 0
  let written = 0
  const { url } = await start({
    chat: async (_event: APIGatewayProxyEvent, stream: ResponseStream) => {
      const out = awslambda.HttpResponseStream.from(stream, { statusCode: 200 })
      for (; written < 300; written++)
        if (!out.write(Buffer.alloc(100_000))) {
          waits += 1
          await new Promise((resolve) => out.once('drain', resolve))
        }
      out.end()
    },
  })
  const slowRequest = request(`${url}/functions/v1/chat-openai`, { method: 'POST' })
  slowRequest.end('{}')
  const [reply] = (await once(slowRequest, 'response')) as [import('node:http').IncomingMessage]
  reply.pause()
  await waitUntil(() => waits > 0)
  for (let n = 0; n < 2_000; n++) await nextTick()
  expect(written).toBeLessThan(200)
  reply.resume()
  await once(reply, 'end')
  expect(written).toBe(300)
})

it('lets a bounded number of requests work at once, answers the others in order, and 503 past that', async () => {
  const begun: (() => void)[] = []
  let most = 0
  let active = 0
  const { url } = await start({
    sessions: async () => {
      active += 1
      most = Math.max(most, active)
      await new Promise<void>((resolve) => begun.push(resolve))
      active -= 1
      return { statusCode: 200, body: '{}' }
    },
  })
  let isDone = false
  const release = async () => {
    while (!isDone) {
      begun.shift()?.()
      await nextTick()
    }
  }
  const requests = Array.from({ length: 40 }, () => fetch(`${url}/api/sessions`))
  await waitUntil(() => begun.length === 16)
  void release()
  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  isDone = true
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(most).toBe(16)
})

it('a streamed reply makes room for the next request when its response begins', async () => {
  const ends: (() => void)[] = []
  const { url } = await start({
    chat: async (_event: APIGatewayProxyEvent, stream: ResponseStream) => {
      const out = awslambda.HttpResponseStream.from(stream, { statusCode: 200 })
      out.write('start')
      await new Promise<void>((resolve) => ends.push(resolve))
      await new Promise<void>((resolve) => out.end(resolve))
    },
  })
  const send = () => fetch(`${url}/functions/v1/chat-openai`, { method: 'POST', body: '{}' })
  const replies = await Promise.all(Array.from({ length: 40 }, send))
  expect(ends).toHaveLength(40)
  for (const end of ends) end()
  await Promise.all(replies.map((reply) => reply.text()))
})
