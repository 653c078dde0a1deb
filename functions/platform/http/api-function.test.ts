import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { Writable } from 'node:stream'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setUpHandlerTests } from '../../../test/support/handler-tests.ts'
import { chatContracts } from '#shared/contracts/chat.ts'
import { runsContracts } from '#shared/contracts/runs.ts'
import { speechContracts } from '#shared/contracts/speech.ts'
import { healthContracts } from '#shared/contracts/health.ts'
import { buildProxyEvent, testContext } from '../../../test/support/invoke.ts'
import { lambdaRuntime, LambdaStream, parseStreamed } from '../../../test/support/lambda-stream.ts'
import type { ApiHandlers } from './api-function.ts'

const { db, siteRow, token } = setUpHandlerTests()
beforeEach(() => void vi.stubGlobal('awslambda', lambdaRuntime))

/** Calls a streaming function with one handler for its route, as Lambda does. */
async function callHandler(respond: () => Promise<unknown>, output: Writable, token?: string) {
  const { apiFunction } = await import('./api-function.ts')
  const handlers = { 'runs.events': respond } as unknown as ApiHandlers<'chat'>
  const streaming = apiFunction(
    'chat',
    { ...chatContracts, ...runsContracts, ...speechContracts },
    handlers,
  ) as unknown as (...parameters: unknown[]) => Promise<void>
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  await streaming(
    buildProxyEvent('runs.events', { params: { sessionId: 'one' }, headers }),
    output,
    testContext,
  )
}

/** Calls a streaming function and parses the bytes as API Gateway does. */
async function callStreaming(respond: () => Promise<unknown>, token?: string) {
  const output = new LambdaStream()
  await callHandler(respond, output, token)
  expect(output.contentType).toBe('application/vnd.awslambda.http-integration-response')
  return parseStreamed(output.bytes())
}

describe('INFRA-08 a streamed response has the format that API Gateway documents', () => {
  const eventHeaders = { 'content-type': 'text/event-stream; charset=utf-8' }

  it('metadata, eight zero bytes, and then the unchanged body, which may contain zero bytes', async () => {
    const { StreamedResponse } = await import('./api-function.ts')
    async function* generateChunks() {
      yield 'data: Grüße\n\n'
      yield new Uint8Array(16)
      yield 'data: [DONE]\n\n'
    }
    const response = new StreamedResponse({
      headers: eventHeaders,
      chunks: generateChunks(),
      finished: Promise.resolve(),
    })
    expect(await callStreaming(async () => response, await token('ann'))).toEqual({
      statusCode: 200,
      headers: { ...eventHeaders, 'x-accel-buffering': 'no' },
      body: Buffer.from(`data: Grüße\n\n${'\0'.repeat(16)}data: [DONE]\n\n`),
    })
  })

  it('the metadata is sent before the first chunk, so the reader knows that the response has started', async () => {
    const { StreamedResponse } = await import('./api-function.ts')
    const firstWord = Promise.withResolvers<string>()
    async function* generateChunks() {
      yield await firstWord.promise
    }
    const response = new StreamedResponse({
      headers: eventHeaders,
      chunks: generateChunks(),
      finished: Promise.resolve(),
    })
    const output = new LambdaStream()
    const invocation = callHandler(async () => response, output, await token('ann'))
    await vi.waitUntil(() => output.bytes().length > 0)
    expect(parseStreamed(output.bytes())).toEqual({
      statusCode: 200,
      headers: { ...eventHeaders, 'x-accel-buffering': 'no' },
      body: Buffer.alloc(0),
    })
    firstWord.resolve('Hello')
    await invocation
    expect(parseStreamed(output.bytes()).body.toString()).toBe('Hello')
  })

  it('an empty stream has metadata', async () => {
    const { StreamedResponse } = await import('./api-function.ts')
    async function* generateChunks() {}
    const response = new StreamedResponse({
      headers: eventHeaders,
      chunks: generateChunks(),
      finished: Promise.resolve(),
    })
    const { statusCode, body } = await callStreaming(async () => response, await token('ann'))
    expect([statusCode, body.length]).toEqual([200, 0])
  })

  it('an error has its status, its headers and its JSON', async () => {
    const { statusCode, headers, body } = await callStreaming(async () => ({}))
    expect(statusCode).toBe(401)
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'www-authenticate': 'Bearer',
    })
    expect(JSON.parse(body.toString())).toMatchObject({ success: false, code: 'not_signed_in' })
  })

  it('an internal error is a response, too', async () => {
    const { statusCode, body } = await callStreaming(
      () => Promise.reject(new TypeError('a bug')),
      await token('ann'),
    )
    expect(statusCode).toBe(500)
    expect(JSON.parse(body.toString())).toMatchObject({ success: false, code: 'internal_error' })
  })

  it('the parser of this test detects malformed metadata', () => {
    const metadata = '{"statusCode":200}'
    expect(() => parseStreamed(Buffer.from(metadata))).toThrow('no delimiter')
    expect(() => parseStreamed(Buffer.from(`${metadata}${'\0'.repeat(7)}body`))).toThrow('no delimiter')
    expect(() => parseStreamed(Buffer.from(`{"statusCode":"200"}${'\0'.repeat(8)}`))).toThrow('statusCode')
    expect(() => parseStreamed(Buffer.from(`${metadata}${' '.repeat(16_384)}${'\0'.repeat(8)}`))).toThrow(
      'no delimiter',
    )
  })
})

it('INFRA-08 a streaming function runs until its work is finished, although its reader has left', async () => {
  const { StreamedResponse } = await import('./api-function.ts')
  const work = Promise.withResolvers<void>()
  async function* generateChunks() {
    for (;;) {
      yield 'more'
      await new Promise(setImmediate)
    }
  }
  const respond = async () =>
    new StreamedResponse({ headers: {}, chunks: generateChunks(), finished: work.promise })
  class DisconnectedReader extends LambdaStream {
    override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error) => void) {
      done(chunk.toString().includes('more') ? new Error('the reader has left') : undefined)
    }
  }
  const reader = new DisconnectedReader()
  reader.on('error', () => undefined)
  let hasEnded = false
  const invocation = callHandler(respond, reader, await token('ann')).finally(() => (hasEnded = true))
  await vi.waitUntil(() => reader.destroyed)
  for (let tick = 0; tick < 50; tick += 1) await new Promise(setImmediate)
  expect(hasEnded).toBe(false)
  work.resolve()
  // a rejected invocation would count as an error and trigger an alarm, but a closed tab is no error
  await expect(invocation).resolves.toBeUndefined()
})

it('INFRA-08 an error of the stream itself rejects the invocation', async () => {
  const { StreamedResponse } = await import('./api-function.ts')
  async function* generateChunks() {
    yield 'more'
    throw new Error('an internal error')
  }
  const respond = async () =>
    new StreamedResponse({ headers: {}, chunks: generateChunks(), finished: Promise.resolve() })
  const output = new LambdaStream()
  output.on('error', () => undefined)
  await expect(callHandler(respond, output, await token('ann'))).rejects.toThrow('an internal error')
})

it('a refused caller gets the response only after the call was counted, because Lambda freezes a function that has responded', async () => {
  db.on(GetCommand).resolves({
    Item: { reason: 'signed-out', at: Math.floor(Date.now() / 1_000) + 60, ttl: 4_000_000_000 },
  })
  db.on(GetCommand, { Key: { PK: 'CONF', SK: 'SITE' } }).resolves(siteRow())
  const counting = Promise.withResolvers<object>()
  db.on(UpdateCommand).callsFake(() => counting.promise)
  let hasResponded = false
  const response = callStreaming(async () => ({}), await token('ann')).finally(() => (hasResponded = true))
  await vi.waitUntil(() => db.commandCalls(UpdateCommand).length > 0)
  for (let tick = 0; tick < 50; tick += 1) await new Promise(setImmediate)
  expect(hasResponded).toBe(false)
  counting.resolve({})
  expect(await response).toMatchObject({ statusCode: 401 })
})

describe('the log line of a request', () => {
  const root = '1-5759e988-bd862e3fe1be46a994272793'

  /** Calls the health check and reads its log line. */
  async function readLogLine(trace: string) {
    vi.stubEnv('LOG_LEVEL', 'info')
    vi.stubEnv('_X_AMZN_TRACE_ID', trace)
    const { apiFunction } = await import('./api-function.ts')
    const handler = apiFunction('health', healthContracts, {
      health: async () => ({ ok: true, version: '1' }),
    })
    const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    await (handler as unknown as (...parameters: unknown[]) => Promise<unknown>)(
      buildProxyEvent('health'),
      testContext,
    )
    const [text] = output.mock.calls.map(([chunk]) => String(chunk))
    output.mockRestore()
    return JSON.parse(text ?? '') as Record<string, unknown>
  }

  it('contains the gateway’s request id, and the trace id if X-Ray samples the request', async () => {
    expect(await readLogLine(`Root=${root};Parent=557abcec3ee5a047;Sampled=1;Lineage=1:2:0`)).toMatchObject({
      message: 'request',
      requestId: 'request-1',
      route: 'health',
      status: 200,
      traceId: root,
    })
    expect(await readLogLine(`Root=${root};Parent=557abcec3ee5a047;Sampled=0`)).not.toHaveProperty('traceId')
    expect(await readLogLine('')).not.toHaveProperty('traceId')
  })
})
