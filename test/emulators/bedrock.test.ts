import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bedrockFetch } from '../../functions/models/bedrock/bedrock-fetch.ts'
import { fetchEndOfLife } from '../../functions/model-check/bedrock-lifecycle.ts'
import { startBedrockRelay } from '../../infra/local/bedrock-relay.ts'
import { generateCredentials } from '../../infra/local/credentials.ts'
import { type BedrockDouble, startBedrockDouble } from '../support/bedrock/server.ts'
import { type DemoModel, startDemoModel } from '../support/model-server/server.ts'
import type { LocalServer } from '../../infra/local/listen.ts'

const region = 'eu-west-1'
const credentials = generateCredentials()
let model: DemoModel
let bedrock: BedrockDouble
beforeEach(async () => {
  model = await startDemoModel({ tokensPerSecond: 20_000 })
  bedrock = await startBedrockDouble({
    region,
    credentials: () => credentials,
    model: { ...model, name: 'juno-demo-reasoning' },
  })
})
afterEach(async () => {
  await bedrock.close()
  await model.close()
})

const claude = 'eu.anthropic.claude-sonnet-5'
const message = (id: string, path: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
  body: JSON.stringify({
    model: id,
    ...(path.startsWith('/anthropic') && { max_tokens: 100 }),
    messages: [{ role: 'user', content: '/echo Hello' }],
  }),
})

async function call(id: string, path = '/anthropic/v1/messages', origin = bedrock.url, keys = credentials) {
  const send = bedrockFetch({ origin, region, credentials: keys })
  const response = await send(`${origin}${path}`, message(id, path))
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: await response.text(),
  }
}

describe('the double of Bedrock', () => {
  it('answers requests signed for its region, with the APIs of each model', async () => {
    expect(await call(claude)).toMatchObject({
      status: 200,
      body: expect.stringContaining('Hello') as unknown,
    })
    expect((await call('openai.gpt-oss-120b-1:0', '/openai/v1/chat/completions')).body).toContain('Hello')
    expect(bedrock.requests).toHaveLength(2)
  })

  it('refuses requests without a signature, or with a wrong one', async () => {
    const unsignedResponse = await fetch(
      `${bedrock.url}/anthropic/v1/messages`,
      message(claude, '/anthropic'),
    )
    expect(unsignedResponse.status).toBe(403)
    expect(unsignedResponse.headers.get('x-amzn-errortype')).toMatch(/^MissingAuthenticationTokenException:/)
    expect(await unsignedResponse.json()).toEqual({ message: 'Missing Authentication Token' })
    expect(await call(claude, undefined, undefined, generateCredentials())).toMatchObject({ status: 403 })
    expect(bedrock.countRejected()).toBe(2)
    expect(bedrock.requests).toEqual([])
  })

  it.each([
    ['us.anthropic.claude-sonnet-5', 'does not have this model in this region'],
    ['claude', 'does not have this model in this region'],
    ['anthropic.claude-sonnet-5', 'through an inference profile'],
    ['openai.gpt-oss-120b-1:0', 'does not support this API'],
  ])('refuses %s: %s', async (id, reason) => {
    expect((await call(id)).body).toContain(reason)
  })

  it('fails as configured by a test', async () => {
    bedrock.faults.set(claude, 'denied')
    expect(await call(claude)).toMatchObject({
      status: 403,
      body: expect.stringContaining('lacks the IAM permission') as unknown,
    })
    bedrock.faults.set(claude, 'not-enabled')
    expect((await call(claude)).body).toContain('Model access is not enabled')
    bedrock.faults.set(claude, 'throttled')
    expect(await call(claude)).toMatchObject({ status: 429, retryAfter: '20' })
    bedrock.faults.set(claude, 'retired')
    expect((await call(claude)).status).toBe(404)
  })
})

describe('the relay to Bedrock', () => {
  const localCredentials = generateCredentials()
  let relay: LocalServer | undefined
  afterEach(() => relay?.close())

  const start = async (keys: Parameters<typeof bedrockFetch>[0]['credentials'] = credentials) => {
    relay = await startBedrockRelay(
      { credentials: localCredentials, region },
      { origin: bedrock.url, region, credentials: keys },
    )
    return relay.url
  }

  it('replaces the signature of the local functions, and nothing else', async () => {
    const url = await start()
    expect((await call(claude, undefined, url, localCredentials)).body).toContain('Hello')
    expect((await call(claude, undefined, url, credentials)).status).toBe(403)
    expect((await fetch(`${url}/anthropic/v1/messages`, message(claude, '/anthropic'))).status).toBe(403)
    expect(bedrock.requests).toHaveLength(1)
  })

  it('passes errors on, and reports missing credentials', async () => {
    bedrock.faults.set(claude, 'throttled')
    expect(await call(claude, undefined, await start(), localCredentials)).toMatchObject({
      status: 429,
      retryAfter: '20',
    })
    await relay?.close()
    const url = await start(async () => {
      const error = new Error('Could not load credentials from any providers')
      error.name = 'CredentialsProviderError'
      throw error
    })
    expect(await call(claude, undefined, url, localCredentials)).toMatchObject({
      status: 403,
      body: expect.stringContaining('AWS does not accept the credentials') as unknown,
    })
  })

  it('aborts the request when the function disconnects', async () => {
    const disconnected = Promise.withResolvers<void>()
    const hangingServer = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      response.on('close', () => disconnected.resolve())
    }).listen(0, '127.0.0.1')
    await once(hangingServer, 'listening')
    const { port } = hangingServer.address() as { port: number }
    const origin = `http://127.0.0.1:${port}`
    relay = await startBedrockRelay(
      { credentials: localCredentials, region },
      { origin, region, credentials },
    )
    const functionAbort = new AbortController()
    const send = bedrockFetch({ origin: relay.url, region, credentials: localCredentials })
    const init = { ...message(claude, '/anthropic'), signal: functionAbort.signal }
    await send(`${relay.url}/anthropic/v1/messages`, init)
    functionAbort.abort()
    await expect(disconnected.promise).resolves.toBeUndefined()
    hangingServer.close()
  })
})

describe('end dates of models', () => {
  const fetchEndDates = (ids: string[], keys = credentials) =>
    fetchEndOfLife(ids, { region, endpoint: bedrock.url, credentials: keys })

  it('are read for the model behind each id, with a signature; a model that Bedrock does not know is left out', async () => {
    bedrock.endOfLife.set('anthropic.claude-sonnet-5', '2027-01-10T00:00:00Z')
    bedrock.endOfLife.set('openai.gpt-oss-120b-1:0', '2026-12-31T23:00:00.000Z')
    const application = 'arn:aws:bedrock:eu-west-1:111122223333:application-inference-profile/abc'
    const ids = [
      claude,
      'openai.gpt-oss-120b-1:0',
      'openai.gpt-6-sol',
      'nobody.knows-it',
      application,
      claude,
    ]
    expect([...(await fetchEndDates(ids))]).toEqual([
      [claude, '2027-01-10'],
      ['openai.gpt-oss-120b-1:0', '2026-12-31'],
    ])
    expect(bedrock.countRejected()).toBe(0)
  })

  it('fail if the role lacks the permission, so that the schedule retries', async () => {
    await expect(fetchEndDates([claude], generateCredentials())).rejects.toThrow(
      'the request for the end of anthropic.claude-sonnet-5 was answered with 403',
    )
  })
})
