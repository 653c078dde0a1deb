import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import {
  type ExpectedRequest,
  type ResponseCase,
  textLike,
  type ToolCase,
} from '../../test/support/provider-contracts/cases.ts'
import { cases } from '../../test/support/integration-cases.ts'
import {
  type ProviderHarness,
  type ReceivedRequest,
  startProviderHarness,
} from '../../test/support/provider-harness.ts'
import { credentialsFor } from '../../test/support/provider-values.ts'
import { buildHeaders } from './authorization.ts'
import { builtInProviders, findProvider } from './built-in.ts'
import { listCapabilities } from './capabilities.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const freeze = () => vi.useFakeTimers({ toFake: ['Date'], now })

let harness: ProviderHarness
beforeAll(async () => {
  freeze()
  harness = await startProviderHarness()
  for (const { id } of builtInProviders) await harness.connect(id)
})
afterAll(() => harness.close())
beforeEach(() => {
  freeze()
  harness.doubles.restoreData()
  harness.received.length = 0
  harness.canned.length = 0
})
afterEach(() => void vi.useRealTimers())

/** Headers of the connection itself. */
const transportHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'accept-encoding',
  'accept-language',
])

const providers = Object.entries(cases)

it.each(providers)('CAP-01 every tool of %s is called', (provider, { requests }) => {
  const tools = listCapabilities(provider).map(({ id }) => id)
  expect([...new Set(requests.map(({ tool }) => tool))].toSorted()).toEqual(tools.toSorted())
})

it.each(
  providers.flatMap(([provider, { requests }]) =>
    requests.map((one): [string, string, ToolCase] => [
      [one.requirement ?? 'CAP-01', provider, one.tool, JSON.stringify(one.input)].join(' '),
      provider,
      one,
    ]),
  ),
)('%s', async (_, provider, { tool, input, requests, result }) => {
  expect(await harness.run(provider, tool, input)).toEqual(result)
  // concurrent requests come in any order
  const received = harness.received.map(toExpectedRequest).toSorted(byAddress)
  const expected = requests.map((one) => completeRequest(provider, one))
  expect(received).toEqual(expected.toSorted(byAddress))
})

it.each(
  providers.flatMap(([provider, { responses }]) =>
    responses.map((one): [string, string, ResponseCase] => [
      `${one.requirement ?? 'CAP-01'} ${provider} ${one.tool}: ${one.case}`,
      provider,
      one,
    ]),
  ),
)('%s', async (_, provider, { tool, input, responses, sent, result, error }) => {
  for (const [at, body, { status = 200, headers = {} } = {}] of responses)
    harness.canned.push({
      at,
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const outcome = await harness.run(provider, tool, input).then(
    (value) => ({ result: value }),
    (cause: unknown) => ({ error: (cause as Error).message }),
  )
  expect(outcome, 'each of `responses` answers one request; others get the responses of double.ts').toEqual(
    error === undefined ? { result } : { error },
  )
  expect(harness.canned, 'no request asked for these of `responses`').toEqual([])
  const lastBody = harness.sent.at(-1)?.body
  expect(lastBody).toEqual(sent === undefined ? lastBody : JSON.stringify(sent))
})

const byAddress = (a: { endpoint: string }, b: { endpoint: string }) =>
  a.endpoint < b.endpoint ? -1 : a.endpoint > b.endpoint ? 1 : 0

function completeRequest(
  provider: string,
  { endpoint, query = {}, headers = {}, body = '' }: ExpectedRequest,
) {
  const known = findProvider(provider)
  const tokenHeader = known?.oauth?.tokenHeader?.toLowerCase()
  const credentials: Record<string, unknown> =
    known?.apiKey !== undefined
      ? buildHeaders(known, credentialsFor(provider))
      : tokenHeader === undefined
        ? { authorization: textLike(/^Bearer \S+$/) }
        : { [tokenHeader]: textLike(/^\S+$/) }
  return {
    endpoint,
    query,
    headers: {
      accept: 'application/json',
      'user-agent': 'juno-assistant',
      ...Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name.toLowerCase(), value])),
      ...(typeof body === 'object' && { 'content-type': 'application/json' }),
      ...headers,
    },
    body,
  }
}

function toExpectedRequest({ method, path, query, headers, body }: ReceivedRequest) {
  const fields = [...new Set(query.keys())].map((name): [string, unknown] => {
    const values = query.getAll(name)
    return [name, values.length === 1 ? values[0] : values]
  })
  return {
    endpoint: `${method} ${path.slice('/api'.length)}`,
    query: Object.fromEntries(fields),
    headers: Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => !transportHeaders.has(name) && !name.startsWith('sec-'))
        .map(([name, value]) => [name, value?.replace(boundary, 'part-…')]),
    ),
    body: headers['content-type'] === 'application/json' ? parseBody(body) : body.replace(boundary, 'part-…'),
  }
}

/** Random boundary of a multipart body. */
const boundary = /part-[0-9a-f]{32}/g

/** White space does not matter in GraphQL. */
function parseBody(body: string): unknown {
  return JSON.parse(body, (name, value: unknown) =>
    name === 'query' && typeof value === 'string' ? value.replace(/\s+/g, ' ') : value,
  )
}
