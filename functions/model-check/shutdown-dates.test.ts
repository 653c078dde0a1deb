import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { metricLines } from '../../test/support/metric-lines.ts'
import { mockClient } from '../../test/support/mock-client.ts'
import { fetchServerModels, findUnlisted } from '../platform/models/server-models.ts'
import { findEndingModels } from './shutdown-dates.ts'

const server = createServer((request, response) => {
  lastRequest = { url: request.url, authorization: request.headers.authorization }
  response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(responseBody)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
afterAll(() => server.close())

let lastRequest: object
let status = 200
let responseBody = ''
beforeEach(() => {
  status = 200
})
const fetchModels = () => fetchServerModels({ baseUrl, key: 'k' })

describe('the dates of a server', () => {
  it('are those of its models that have one', async () => {
    responseBody = JSON.stringify({
      object: 'list',
      data: [
        { id: 'gpt-5-mini', object: 'model', created: 1, owned_by: 'openai', shutdown_date: '2026-12-11' },
        { id: 'gpt-6.1-terra', object: 'model', created: 1, owned_by: 'openai', shutdown_date: null },
        { id: 'other', object: 'model' },
        { id: 'odd', shutdown_date: 'soon' },
        { object: 'model' },
      ],
    })
    const server = await fetchModels()
    expect(Object.fromEntries(server?.shutdownDates ?? [])).toEqual({ 'gpt-5-mini': '2026-12-11' })
    expect(server?.ids).toEqual(['gpt-5-mini', 'gpt-6.1-terra', 'other', 'odd'])
    expect(lastRequest).toEqual({ url: '/v1/models', authorization: 'Bearer k' })
  })

  it.each([
    [401, '{}', 'the request for the list of models was answered with 401'],
    [200, `{"data":[],"x":"${'x'.repeat(5_000_000)}"}`, 'the list of models is too large'],
    // the key is not sent on
    [302, '', 'fetch failed'],
  ])('are unknown after %i %.20s', async (code, body, message) => {
    status = code
    responseBody = body
    await expect(fetchModels()).rejects.toThrow(message)
  })

  it.each([
    [404, '{"error":{"message":"Not Found"}}'],
    [405, ''],
    [501, ''],
    [200, '<html>'],
    [200, '{"data":{}}'],
  ])('are unknown where a server has no list: %i %s', async (code, body) => {
    status = code
    responseBody = body
    expect(await fetchModels()).toBeUndefined()
  })
})

it.each([
  [['gpt'], ['gpt', 'other'], []],
  [['gpt', 'mine'], ['gpt', 'other'], ['mine']],
  [['llama3', 'qwen3:8b'], ['llama3:latest', 'qwen3:8b'], []],
  [['gemini-3-pro'], ['models/gemini-3-pro'], []],
  [['openai/gpt', 'mistral/x'], ['openai/*'], ['mistral/x']],
  // an empty list says nothing
  [['gpt'], [], []],
])('of the models %j, a server with %j does not list %j', (ids, listed, unlisted) => {
  expect(findUnlisted(ids, { ids: listed, chatModels: [], shutdownDates: new Map() })).toEqual(unlisted)
  expect(findUnlisted(ids, undefined)).toEqual([])
})

it('warns 60 days ahead, nearest first, and of models that are already shut down', () => {
  const dates = new Map([
    ['a', '2027-01-20'],
    ['b', '2027-01-21'],
    ['c', '2026-11-20'],
    ['d', '2026-12-11'],
  ])
  expect(
    findEndingModels(['a', 'b', 'c', 'd', 'a', 'unknown'], dates, new Date('2026-11-21T23:59:00Z')),
  ).toEqual([
    { id: 'c', shutdownDate: '2026-11-20', daysLeft: -1 },
    { id: 'd', shutdownDate: '2026-12-11', daysLeft: 20 },
    { id: 'a', shutdownDate: '2027-01-20', daysLeft: 60 },
  ])
})

it('the daily check measures and returns the models that will be shut down soon, including the image model', async () => {
  vi.stubEnv('OPENAI_BASE_URL', baseUrl)
  vi.stubEnv('MODELS', '[{"id":"gpt-5-mini"},{"id":"gpt-6.1-terra"}]')
  vi.stubEnv('OPENAI_IMAGE_MODEL', 'gpt-image-1')
  vi.stubEnv('MODEL_KEY_SECRET', 'model-key')
  vi.stubEnv('METRICS_NAMESPACE', 'test')
  vi.stubEnv('LOG_LEVEL', 'silent')
  const secrets = mockClient(SecretsManagerClient)
  secrets.on(GetSecretValueCommand, { SecretId: 'model-key' }).resolves({ SecretString: 'sk-1' })
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T03:47:00Z') })
  responseBody = JSON.stringify({
    data: [
      { id: 'gpt-5-mini', shutdown_date: '2026-12-11' },
      { id: 'gpt-image-1', shutdown_date: '2026-10-23' },
      { id: 'not-ours', shutdown_date: '2026-11-30' },
    ],
  })
  const { handler } = await import('./daily-check.ts')
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  expect(await handler()).toEqual({
    hasDates: true,
    ending: [
      { id: 'gpt-image-1', shutdownDate: '2026-10-23', daysLeft: -29 },
      { id: 'gpt-5-mini', shutdownDate: '2026-12-11', daysLeft: 20 },
    ],
    unlisted: ['gpt-6.1-terra'],
  })
  expect(lastRequest).toMatchObject({ authorization: 'Bearer sk-1' })
  const output = write.mock.calls.map(([text]) => String(text)).join('')
  write.mockRestore()
  expect(metricLines(output)).toMatchObject([{ values: { ModelsEndingSoon: 2 } }])
  vi.useRealTimers()
  secrets.reset()
  secrets.on(GetSecretValueCommand).resolves({ SecretString: 'sk-1' })
  status = 500
  await expect(handler()).rejects.toThrow('answered with 500')
})
