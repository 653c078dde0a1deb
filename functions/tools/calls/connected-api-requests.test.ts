import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { CredentialRow } from '../../integrations/store/credential-repository.ts'
import type { ConnectionRow } from '../../integrations/store/connection-repository.ts'
import { OutboundFailed, ResponseTooLarge } from '../../platform/net/outbound-http.ts'
import { findProvider } from '../../providers/built-in.ts'
import type { ApiRequest } from '../../providers/api.ts'
import { connectedApi } from './connected-api.ts'

const waits = vi.hoisted(() => [] as unknown[])
vi.mock('../../platform/clock.ts', () => ({
  wait: (ms: number) => {
    waits.push(ms)
    return Promise.resolve()
  },
}))
beforeEach(() => {
  waits.length = 0
})

const signal = new AbortController().signal
const okResponse = { status: 200, headers: {}, text: '{"ok":true}' }

interface PreparedResponse {
  status: number
  headers: Record<string, string>
  text: string
}

/** A user's connection to a provider with prepared responses; the last one repeats. */
function connect(
  mcpId: string,
  {
    tokens,
    credentials = {},
    parameters = {},
    responses = [okResponse],
  }: {
    tokens?: object
    credentials?: Record<string, string>
    parameters?: Record<string, string>
    responses?: (PreparedResponse | Error)[]
  },
) {
  const sent: { url: string; method: string; headers: Record<string, string>; body?: unknown }[] = []
  const credential: CredentialRow = {
    version: 'one',
    status: 'active',
    masks: {},
    refreshable: false,
    updated_at: '',
    ...(tokens ? { sealed: JSON.stringify(tokens) } : { secret_name: 'secret' }),
  }
  const remainingResponses = [...responses]
  const stores = {
    credentials: { find: () => Promise.resolve(credential) },
    sealer: { open: (sealed: string) => Promise.resolve(sealed) },
    vault: { read: () => Promise.resolve(credentials) },
    http: {
      bytes: (url: URL, init: { method: string; headers: Record<string, string>; body?: string }) => {
        sent.push({ url: url.href, method: init.method, headers: init.headers, body: init.body })
        const response = remainingResponses.length > 1 ? remainingResponses.shift() : remainingResponses[0]
        if (response === undefined || response instanceof Error)
          return Promise.reject(response ?? new Error('none'))
        const { status, headers, text } = response
        return Promise.resolve({
          status,
          headers: new Headers(headers),
          body: new TextEncoder().encode(text),
        })
      },
    },
  } as unknown as Parameters<typeof connectedApi>[0]
  const provider = findProvider(mcpId)
  if (!provider) throw new Error(`no provider ${mcpId}`)
  const row = { mcp_id: mcpId, environment: 'production', parameters } as ConnectionRow
  const api = connectedApi(stores, { sub: 'ann', row, provider })
  return { sent, call: (path: string, request: ApiRequest = {}) => api.call(path, request, signal) }
}
const connectZoom = (responses?: (PreparedResponse | Error)[]) =>
  connect('zoom', { tokens: { accessToken: 'token' }, ...(responses && { responses }) })

describe('a request', () => {
  it('is a GET of JSON below the API root by default, with a user agent and the token', async () => {
    const { sent, call } = connectZoom()
    expect(await call('/users/me')).toEqual({ ok: true })
    expect(sent).toEqual([
      {
        url: 'https://api.zoom.us/v2/users/me',
        method: 'GET',
        headers: {
          accept: 'application/json',
          'user-agent': 'juno-assistant',
          authorization: 'Bearer token',
        },
        body: undefined,
      },
    ])
  })

  it('has its values encoded, lists repeated, and missing values left out', async () => {
    const { sent, call } = connectZoom()
    await call('/users/{id}/x', {
      addressParameters: { id: 'a/b c' },
      query: { q: 'ä&b', list: ['1', '2'], none: undefined, yes: false, n: 0 },
    })
    expect(sent[0]?.url).toBe(
      'https://api.zoom.us/v2/users/a%2Fb%20c/x?q=%C3%A4%26b&list=1&list=2&yes=false&n=0',
    )
  })

  it.each<[string, ApiRequest, string | undefined, string | undefined]>([
    ['JSON', { json: { a: [1] } }, 'application/json', '{"a":[1]}'],
    [
      'a form without what is not given',
      { form: { a: 'x y', b: 2, c: undefined, d: false } },
      'application/x-www-form-urlencoded',
      'a=x+y&b=2&d=false',
    ],
    ['text as it is', { body: 'raw', headers: { 'content-type': 'text/plain' } }, 'text/plain', 'raw'],
  ])('sends %s', async (_, request, type, body) => {
    const { sent, call } = connectZoom()
    await call('/things', { method: 'POST', ...request })
    expect(sent).toMatchObject([{ method: 'POST', body }])
    expect(sent[0]?.headers['content-type']).toBe(type)
  })

  it('cannot replace the authorization by its own headers', async () => {
    const { sent, call } = connectZoom()
    await call('/x', {
      headers: { authorization: 'Bearer other', accept: 'text/csv' },
      scheme: 'Zoho-oauthtoken',
    })
    expect(sent[0]?.headers).toMatchObject({ authorization: 'Zoho-oauthtoken token', accept: 'text/csv' })
  })

  it('goes to the address beside the API root that it names', async () => {
    const { sent, call } = connect('dropbox', { tokens: { accessToken: 'token' } })
    await call('/files/download', { base: 'content', method: 'POST' })
    expect(sent[0]?.url).toBe('https://content.dropboxapi.com/2/files/download')
  })

  it('goes to the account’s own address if the provider named one', async () => {
    const { sent, call } = connect('salesforce', {
      tokens: { accessToken: 'token', instanceUrl: 'https://eu1.salesforce.com' },
    })
    await call('/limits')
    expect(sent[0]?.url).toMatch(/^https:\/\/eu1\.salesforce\.com\/services\/data\/v[\d.]+\/limits$/)
  })

  it('carries the token in the header that the provider names, and in no other', async () => {
    const { sent, call } = connect('shopify', {
      tokens: { accessToken: 'token' },
      parameters: { shop: 'shop' },
    })
    await call('/shop.json')
    expect(sent[0]?.headers).toMatchObject({ 'X-Shopify-Access-Token': 'token' })
    expect(sent[0]?.headers).not.toHaveProperty('authorization')
  })

  it.each(['/repos/../user', '/repos/./x', '/repos/..'])('does not leave its path: %s', async (path) => {
    const { sent, call } = connectZoom()
    await expect(call(path)).rejects.toThrow('Zoom has nothing by this name.')
    expect(sent).toEqual([])
  })

  it('may contain dots that do not leave the path', async () => {
    const { sent, call } = connectZoom()
    await call('/repos/..x/.y/z...')
    expect(sent[0]?.url).toBe('https://api.zoom.us/v2/repos/..x/.y/z...')
  })
})

describe('a response', () => {
  const buildResponse = (status: number, text: string, headers = {}): PreparedResponse => ({
    status,
    headers,
    text,
  })

  it.each([
    [200, '', undefined],
    [204, '', undefined],
    [299, '[1]', [1]],
  ])('with status %i is its JSON, or nothing: %j', async (status, text, body) => {
    expect(await connectZoom([buildResponse(status, text)]).call('/x')).toEqual(body)
  })

  it.each(['<html>', '{"a":', '['.repeat(100_000)])(
    'that is not usable JSON is an error: %.10s',
    async (text) => {
      await expect(connectZoom([buildResponse(200, text)]).call('/x')).rejects.toMatchObject({
        message: 'Zoom answered with something that is no JSON.',
        status: 200,
      })
    },
  )

  it.each([199, 300, 304])('with status %i is not a success', async (status) => {
    const { sent, call } = connectZoom([buildResponse(status, '{}')])
    await expect(call('/x')).rejects.toThrow(`Zoom refused the request (${status}).`)
    expect(sent).toHaveLength(1)
  })

  it('that is missing leaves a write in doubt, but not a read', async () => {
    const noAnswer = new OutboundFailed('there was no answer')
    await expect(connectZoom([noAnswer]).call('/x')).rejects.toMatchObject({
      message: 'Zoom did not answer.',
      cause: noAnswer,
    })
    const unknownOutcome = 'Zoom did not answer. It may have been done: check before you try again.'
    await expect(connectZoom([noAnswer]).call('/x', { method: 'POST' })).rejects.toThrow(unknownOutcome)
    await expect(connectZoom([noAnswer]).call('/x', { method: 'POST', reads: true })).rejects.toThrow(
      /answer\.$/,
    )
    const tooLarge = new ResponseTooLarge('a response of more than 2097152 bytes')
    await expect(connectZoom([tooLarge]).call('/x')).rejects.toThrow(
      'Zoom answered with more than can be read. Ask for fewer results or for a narrower part; if it is one entry, tell the user to open it at the service.',
    )
    await expect(connectZoom([tooLarge]).call('/x', { method: 'POST' })).rejects.toThrow(
      'Zoom answered with more than can be read. It may have been done: check before you try again.',
    )
    // an internal error is not reported as the provider's
    await expect(connectZoom([new TypeError('ours')]).call('/x')).rejects.toThrow(TypeError)
  })

  it.each<[string, PreparedResponse[], number[]]>([
    [
      'half a second, then a whole one',
      [buildResponse(500, '{}'), buildResponse(503, '{}'), okResponse],
      [500, 1_000],
    ],
    ['as long as it says', [buildResponse(429, '{}', { 'retry-after': '3' }), okResponse], [3_000]],
    [
      '20 s at most in all',
      [...['3', '17'].map((seconds) => buildResponse(429, '{}', { 'retry-after': seconds })), okResponse],
      [3_000, 17_000],
    ],
    [
      'half a second where it says nothing that is a time',
      [buildResponse(429, '{}', { 'retry-after': 'soon' }), okResponse],
      [500],
    ],
  ])('of a busy provider is followed by a wait: %s', async (_, responses, expected) => {
    const { call } = connectZoom(responses)
    expect(await call('/x')).toEqual({ ok: true })
    expect(waits).toEqual(expected)
  })

  it('is followed by a wait until the date that it names', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T08:00:00Z') })
    const date = 'Fri, 20 Nov 2026 08:00:05 GMT'
    await connectZoom([buildResponse(503, '{}', { 'retry-after': date }), okResponse]).call('/x')
    vi.useRealTimers()
    expect(waits).toEqual([5_000])
  })

  it.each<[string, ApiRequest, PreparedResponse[], number]>([
    ['three faults', {}, [buildResponse(500, '{}')], 3],
    ['a wait of more than 20 s', {}, [buildResponse(429, '{}', { 'retry-after': '20.001' })], 1],
    ['a busy provider and a write', { method: 'PATCH' }, [buildResponse(429, '{}')], 1],
    ['a refusal', {}, [buildResponse(499, '{}')], 1],
  ])('%s: the request is not repeated', async (_, request, responses, times) => {
    const { sent, call } = connectZoom(responses)
    await expect(call('/x', request)).rejects.toThrow('Zoom ')
    expect(sent).toHaveLength(times)
  })

  it('is converted by the provider’s own error format', async () => {
    const refusal = () => ({ status: 404, message: 'no such meeting' })
    await expect(connectZoom().call('/x', { toFailure: refusal })).rejects.toThrow(
      'It said: "no such meeting"',
    )
  })
})
