import { afterEach, expect, it, vi } from 'vitest'
import {
  generateCredentials,
  region,
  type ServerError,
  signedCredentials as credentials,
  startSigningServer,
} from '../../../test/support/signing-server.ts'
import { bedrockFetch } from './bedrock-fetch.ts'

let server: Awaited<ReturnType<typeof startSigningServer>> | undefined
afterEach(async () => {
  vi.useRealTimers()
  await server?.close()
})

async function startServer(error?: ServerError) {
  server = await startSigningServer(error)
  return server
}

const post = { method: 'POST', body: '{"model":"m"}', headers: { 'content-type': 'application/json' } }

async function callWith(overrides: Partial<Parameters<typeof bedrockFetch>[0]>, error?: ServerError) {
  const { origin } = await startServer(error)
  const send = bedrockFetch({ origin, region, credentials, ...overrides })
  const response = await send(`${origin}/anthropic/v1/messages`, post)
  return { status: response.status, body: await response.text() }
}

it('signs each attempt so that the service accepts it, and sends no key of the client library', async () => {
  const { origin, received } = await startServer()
  const send = bedrockFetch({ origin, region, credentials })
  const init = { ...post, headers: { ...post.headers, authorization: 'Bearer none', 'x-api-key': 'none' } }
  for (const path of ['/openai/v1/responses', '/anthropic/v1/messages?beta=true'])
    expect(await (await send(`${origin}${path}`, init)).text()).toBe('signed')
  expect(received).toHaveLength(2)
  for (const headers of received) {
    expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 .*\/eu-central-1\/bedrock\/aws4_request, /)
    expect(headers['x-api-key']).toBeUndefined()
    expect(headers['x-amz-security-token']).toBe(credentials.sessionToken)
  }
})

it('signs a request without a body, a method or headers', async () => {
  const { origin } = await startServer()
  const send = bedrockFetch({ origin, region, credentials })
  expect(await (await send(`${origin}/openai/v1/models`)).text()).toBe('signed')
  expect(await (await send(new URL(`${origin}/openai/v1/models?a=1&b=2`), {})).text()).toBe('signed')
})

it('sends what the client library sends, but for its key and what belongs to the connection', async () => {
  const calls: [URL, RequestInit][] = []
  vi.stubGlobal('fetch', async (...call: [URL, RequestInit]) => {
    calls.push(call)
    return new Response('ok')
  })
  const { signal } = new AbortController()
  const headers = {
    authorization: 'Bearer none',
    'x-api-key': 'none',
    connection: 'close',
    'content-length': '99',
    host: 'example.org',
    'X-Extra': 'a',
  }
  const origin = 'https://bedrock.example.org:8443'
  await bedrockFetch({ origin, region, credentials })(new Request(`${origin}/a?b=c`), {
    ...post,
    headers,
    signal,
    redirect: 'follow',
  })
  expect(calls).toHaveLength(1)
  const [url, init] = calls[0] ?? []
  expect(url?.href).toBe(`${origin}/a?b=c`)
  expect(init).toEqual({
    method: 'POST',
    body: post.body,
    signal,
    redirect: 'manual',
    headers: {
      authorization: expect.stringContaining('SignedHeaders=host;x-amz-') as string,
      'x-amz-content-sha256': expect.any(String) as string,
      'x-amz-date': expect.any(String) as string,
      'x-amz-security-token': credentials.sessionToken,
      'x-extra': 'a',
    },
  })
})

it('sends no body that is not text', async () => {
  const send = bedrockFetch({ origin: 'https://bedrock.example.org', region, credentials })
  const request = send('https://bedrock.example.org/a', { method: 'POST', body: new Uint8Array(1) })
  await expect(request).rejects.toThrow('has a body of text')
})

it('requests the credentials for each request, so that credentials of a role are replaced before they expire', async () => {
  const { origin } = await startServer()
  const provide = vi.fn<() => Promise<typeof credentials & { expiration: Date }>>(async () => ({
    ...credentials,
    expiration: new Date(Date.now() + 3_600_000),
  }))
  const send = bedrockFetch({ origin, region, credentials: provide })
  await send(`${origin}/openai/v1/responses`, post)
  await send(`${origin}/openai/v1/responses`, post)
  expect(provide.mock.calls.length).toBeGreaterThanOrEqual(2)
})

it('sends nothing to another origin', async () => {
  const { origin, received } = await startServer()
  const send = bedrockFetch({
    origin: 'https://bedrock-runtime.eu-central-1.amazonaws.com',
    region,
    credentials,
  })
  await expect(send(`${origin}/openai/v1/responses`, post)).rejects.toThrow('go to https://bedrock-runtime')
  expect(received).toHaveLength(0)
})

it('does not follow a redirect', async () => {
  const { origin, received } = await startServer({ status: 307 })
  const response = await bedrockFetch({ origin, region, credentials })(`${origin}/openai/v1/responses`, post)
  expect(response.status).toBe(307)
  expect(received).toHaveLength(1)
})

it.each([
  ['region', { region: 'us-east-1' }, 'AWS rejected the signature'],
  ['secret', { credentials: { ...credentials, secretAccessKey: 'wrong' } }, 'AWS rejected the signature'],
  ['access key', { credentials: { ...generateCredentials() } }, 'AWS does not accept the credentials'],
  [
    'session token',
    { credentials: { ...credentials, sessionToken: 'old' } },
    'AWS does not accept the credentials',
  ],
])('says what to do about a wrong %s', async (_, overrides, expectedPart) => {
  const { status, body } = await callWith(overrides)
  expect(status).toBe(403)
  expect(JSON.parse(body)).toMatchObject({
    error: { message: expect.stringContaining(expectedPart) as unknown },
  })
})

it('says what to do about a wrong clock', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 301_000 })
  const { status, body } = await callWith({})
  expect(status).toBe(403)
  expect(body).toContain('set the clock')
})

it.each([
  [
    403,
    'AccessDeniedException',
    "You don't have access to the model with the specified model ID.",
    403,
    'Model access is not enabled',
  ],
  [
    403,
    'AccessDeniedException',
    'User: arn:… is not authorized to perform: bedrock:InvokeModel',
    403,
    'lacks the IAM permission',
  ],
  [
    400,
    'ValidationException',
    'Invocation of model ID m with on-demand throughput isn’t supported.',
    404,
    'through an inference profile',
  ],
  [
    400,
    'ValidationException',
    'The provided model identifier is invalid.',
    404,
    'does not have this model in this region',
  ],
])(
  '%i %s "%s" becomes %i and is explained: %s',
  async (status, type, message, expectedStatus, explanation) => {
    const result = await callWith({}, { status, type, message })
    expect(result.status).toBe(expectedStatus)
    const { error } = JSON.parse(result.body) as { error: { message: string; type: string } }
    expect(error.message).toContain(explanation)
    expect(error.message).toContain(message)
    expect(error.type).toBe(type)
  },
)

it.each([
  [429, 'ThrottlingException', 'Too many tokens, please wait before trying again.'],
  [500, 'InternalServerException', 'The model is not available.'],
])('passes on %i %s "%s"', async (status, type, message) => {
  const result = await callWith({}, { status, type, message })
  expect(result.status).toBe(status)
  const { error } = JSON.parse(result.body) as { error: { message: string; type: string } }
  expect(error.message).toContain(message)
  expect(error.type).toBe(type)
})
