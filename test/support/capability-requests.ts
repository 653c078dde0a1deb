import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { buildHeaders } from '../../functions/providers/authorization.ts'
import { findProvider } from '../../functions/providers/built-in.ts'
import { listCapabilities } from '../../functions/capabilities/catalogue.ts'
import { credentialsFor } from './provider-values.ts'
import { type ProviderWorld, type Received, startProviderWorld } from './provider-world.ts'

/** A request as it comes in at a provider, but for what every request of its connection has. */
export interface ExpectedRequest {
  /** method, and path behind the root of the API */
  asks: string
  query?: Record<string, unknown>
  /** besides the usual ones, or in their place */
  headers?: Record<string, unknown>
  /** of JSON, where it is no text */
  body?: unknown
}

/** A call of a tool: with arguments as a model writes them, everything that it asks, and what it gives back. */
export interface ToolCase {
  tool: string
  /** rows of the specification */
  rows?: string
  input: Record<string, unknown>
  requests: ExpectedRequest[]
  result: unknown
}

export const base64url = (text: string) => Buffer.from(text).toString('base64url')
/** What a provider or the product makes up anew each time. */
export const anyText = expect.any(String) as unknown
export const textLike = (form: RegExp) => expect.stringMatching(form) as unknown
export const now = Date.parse('2026-11-20T12:00:00Z')

/** Of the connection itself, and not of what is asked. */
const transport = new Set(['host', 'connection', 'content-length', 'accept-encoding', 'accept-language'])

/** A call of a tool whose provider answers in another way than its stand-in: with what its reference allows, too. */
export interface AnswerCase {
  tool: string
  rows?: string
  input?: Record<string, unknown>
  /** what is special about the answer */
  of: string
  /** the end of a path, and the JSON that it answers */
  answers: [path: string, body: unknown, about?: { status?: number; headers?: Record<string, string> }][]
  result?: unknown
  /** what the model is told instead */
  fails?: string
}

/** Providers, connected for the tests of a file, on a day that does not pass. */
function connectedWorld(providers: readonly string[]): () => ProviderWorld {
  let world: ProviderWorld
  const freeze = () => vi.useFakeTimers({ toFake: ['Date'], now })
  beforeAll(async () => {
    freeze()
    world = await startProviderWorld()
    for (const provider of providers) await world.connect(provider)
  }, 30_000)
  afterAll(() => world.close())
  beforeEach(() => {
    freeze()
    world.doubles.restoreData()
    world.received.length = 0
    world.canned.length = 0
  })
  afterEach(() => void vi.useRealTimers())
  return () => world
}

/** Tests what the tools of these providers ask, and what they make of the answers. */
export function testTools(cases: Readonly<Record<string, readonly ToolCase[]>>): void {
  const world = connectedWorld(Object.keys(cases))
  it.each(Object.entries(cases))('CAP-01 every tool of %s is called', (provider, list) => {
    const tools = listCapabilities(provider).map(({ id }) => id)
    expect([...new Set(list.map(({ tool }) => tool))].toSorted()).toEqual(tools.toSorted())
  })

  it.each(
    Object.entries(cases).flatMap(([provider, list]) =>
      list.map((one): [string, string, ToolCase] => [
        [one.rows ?? 'CAP-01', provider, one.tool, JSON.stringify(one.input)].join(' '),
        provider,
        one,
      ]),
    ),
  )('%s', async (_, provider, { tool, input, requests, result }) => {
    expect(await world().run(provider, tool, input)).toEqual(result)
    // side by side they come in any order
    const received = world().received.map(asRequest).toSorted(byAddress)
    const expected = requests.map((one) => complete(provider, one))
    expect(received).toEqual(expected.toSorted(byAddress))
  })
}

/** Tests what the tools make of answers that are not the usual ones. */
export function testAnswers(cases: Readonly<Record<string, readonly AnswerCase[]>>): void {
  const world = connectedWorld(Object.keys(cases))
  it.each(
    Object.entries(cases).flatMap(([provider, list]) =>
      list.map((one): [string, string, AnswerCase] => [
        `${one.rows ?? 'CAP-01'} ${provider} ${one.tool}: ${one.of}`,
        provider,
        one,
      ]),
    ),
  )('%s', async (_, provider, { tool, input, answers, result, fails }) => {
    for (const [at, body, { status = 200, headers = {} } = {}] of answers)
      world().canned.push({
        at,
        status,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    const outcome = await world()
      .run(provider, tool, input)
      .then(
        (value) => ({ result: value }),
        (error: unknown) => ({ fails: (error as Error).message }),
      )
    expect(outcome).toEqual(fails === undefined ? { result } : { fails })
    expect(world().canned).toEqual([])
  })
}

const byAddress = (a: { asks: string }, b: { asks: string }) =>
  a.asks < b.asks ? -1 : a.asks > b.asks ? 1 : 0

function complete(provider: string, { asks, query = {}, headers = {}, body = '' }: ExpectedRequest) {
  const known = findProvider(provider)
  const tokenHeader = known?.oauth?.tokenHeader?.toLowerCase()
  const credentials: Record<string, unknown> =
    known?.apiKey !== undefined
      ? buildHeaders(known, credentialsFor(provider))
      : tokenHeader === undefined
        ? { authorization: textLike(/^Bearer \S+$/) }
        : { [tokenHeader]: textLike(/^\S+$/) }
  return {
    asks,
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

function asRequest({ method, path, query, headers, body }: Received) {
  const fields = [...new Set(query.keys())].map((name): [string, unknown] => {
    const values = query.getAll(name)
    return [name, values.length === 1 ? values[0] : values]
  })
  return {
    asks: `${method} ${path.slice('/api'.length)}`,
    query: Object.fromEntries(fields),
    headers: Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => !transport.has(name) && !name.startsWith('sec-'))
        .map(([name, value]) => [name, value?.replace(boundary, 'part-…')]),
    ),
    body: headers['content-type'] === 'application/json' ? parsed(body) : body.replace(boundary, 'part-…'),
  }
}

/** Of parts in one body, made up anew each time. */
const boundary = /part-[0-9a-f]{32}/g

/** GraphQL is the same however its lines are broken. */
function parsed(body: string): unknown {
  return JSON.parse(body, (name, value: unknown) =>
    name === 'query' && typeof value === 'string' ? value.replace(/\s+/g, ' ') : value,
  )
}
