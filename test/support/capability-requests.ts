import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { buildHeaders } from '../../functions/providers/authorization.ts'
import { findProvider } from '../../functions/providers/built-in.ts'
import { listCapabilities } from '../../functions/capabilities/catalogue.ts'
import { credentialsFor } from './provider-values.ts'
import { type ProviderHarness, type ReceivedRequest, startProviderHarness } from './provider-harness.ts'

/** A request to a provider, without the parts that all requests of the connection share. */
export interface ExpectedRequest {
  /** method, and path relative to the root of the API */
  endpoint: string
  query?: Record<string, unknown>
  /** in addition to the usual ones, or instead of them */
  headers?: Record<string, unknown>
  /** parsed JSON, or text */
  body?: unknown
}

/** A tool call: arguments as a model writes them, the requests that it sends, and its result. */
export interface ToolCase {
  tool: string
  /** id of the requirement, for the title */
  requirement?: string
  input: Record<string, unknown>
  requests: ExpectedRequest[]
  result: unknown
}

export const base64url = (text: string) => Buffer.from(text).toString('base64url')
/** Values generated at random, by a provider or the product. */
export const anyText = expect.any(String) as unknown
export const textLike = (form: RegExp) => expect.stringMatching(form) as unknown
export const now = Date.parse('2026-11-20T12:00:00Z')

/** Headers of the connection itself. */
const transportHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'accept-encoding',
  'accept-language',
])

/** A tool call whose provider responds differently from its double, as its reference allows. */
export interface ResponseCase {
  tool: string
  requirement?: string
  input?: Record<string, unknown>
  /** what is special about the response */
  case: string
  /** the end of a path, and the JSON response; other requests get the responses of the double */
  responses: [path: string, body: unknown, options?: { status?: number; headers?: Record<string, string> }][]
  /** the body of the last request */
  sent?: unknown
  result?: unknown
  /** the error for the model instead */
  error?: string
}

/** Providers connected for the tests of a file, with a fixed date. */
function openHarness(providers: readonly string[]): () => ProviderHarness {
  let harness: ProviderHarness
  const freeze = () => vi.useFakeTimers({ toFake: ['Date'], now })
  beforeAll(async () => {
    freeze()
    harness = await startProviderHarness()
    for (const provider of providers) await harness.connect(provider)
  })
  afterAll(() => harness.close())
  beforeEach(() => {
    freeze()
    harness.doubles.restoreData()
    harness.received.length = 0
    harness.canned.length = 0
  })
  afterEach(() => void vi.useRealTimers())
  return () => harness
}

/** Tests the requests of these providers' tools, and their results. */
export function testTools(cases: Readonly<Record<string, readonly ToolCase[]>>): void {
  const harness = openHarness(Object.keys(cases))
  it.each(Object.entries(cases))('CAP-01 every tool of %s is called', (provider, list) => {
    const tools = listCapabilities(provider).map(({ id }) => id)
    expect([...new Set(list.map(({ tool }) => tool))].toSorted()).toEqual(tools.toSorted())
  })

  it.each(
    Object.entries(cases).flatMap(([provider, list]) =>
      list.map((one): [string, string, ToolCase] => [
        [one.requirement ?? 'CAP-01', provider, one.tool, JSON.stringify(one.input)].join(' '),
        provider,
        one,
      ]),
    ),
  )('%s', async (_, provider, { tool, input, requests, result }) => {
    expect(await harness().run(provider, tool, input)).toEqual(result)
    // concurrent requests come in any order
    const received = harness().received.map(toExpectedRequest).toSorted(byAddress)
    const expected = requests.map((one) => completeRequest(provider, one))
    expect(received).toEqual(expected.toSorted(byAddress))
  })
}

/** Tests the tools' results for unusual responses. */
export function testUnusualResponses(cases: Readonly<Record<string, readonly ResponseCase[]>>): void {
  const harness = openHarness(Object.keys(cases))
  it.each(
    Object.entries(cases).flatMap(([provider, list]) =>
      list.map((one): [string, string, ResponseCase] => [
        `${one.requirement ?? 'CAP-01'} ${provider} ${one.tool}: ${one.case}`,
        provider,
        one,
      ]),
    ),
  )('%s', async (_, provider, { tool, input, responses, sent, result, error }) => {
    for (const [at, body, { status = 200, headers = {} } = {}] of responses)
      harness().canned.push({
        at,
        status,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    const outcome = await harness()
      .run(provider, tool, input)
      .then(
        (value) => ({ result: value }),
        (cause: unknown) => ({ error: (cause as Error).message }),
      )
    expect(outcome).toEqual(error === undefined ? { result } : { error })
    expect(harness().canned).toEqual([])
    const lastBody = harness().sent.at(-1)?.body
    expect(lastBody).toEqual(sent === undefined ? lastBody : JSON.stringify(sent))
  })
}

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
