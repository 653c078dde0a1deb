import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { SearchProvider } from '#shared/search-providers.ts'
import { searchWeb } from './search-web.ts'

let close = async () => undefined as unknown
afterEach(async () => close())

type Answer = readonly [status: number, body: unknown]

/** Refuses what the services refuse, as their documentation says it. */
const doubles: Record<
  SearchProvider,
  (request: IncomingMessage, url: URL, body: string) => Answer | undefined
> = {
  brave({ method, headers }, url) {
    if (method !== 'GET' || url.pathname !== '/res/v1/web/search') return [404, {}]
    if (headers['x-subscription-token'] !== 'key')
      return [422, { type: 'ErrorResponse', error: { code: 'SUBSCRIPTION_TOKEN_INVALID' } }]
    const count = Number(url.searchParams.get('count'))
    if (!url.searchParams.get('q') || !(count >= 1 && count <= 20)) return [422, { type: 'ErrorResponse' }]
    return undefined
  },
  tavily({ method, headers }, { pathname }, body) {
    if (method !== 'POST' || pathname !== '/search') return [404, {}]
    if (headers.authorization !== 'Bearer key')
      return [401, { detail: { error: 'Unauthorized: missing or invalid API key.' } }]
    if (headers['content-type'] !== 'application/json') return [422, {}]
    const { query, max_results: max, ...others } = JSON.parse(body) as Record<string, unknown>
    if (typeof query !== 'string' || !(Number(max) <= 20) || Object.keys(others).length > 0) return [422, {}]
    return undefined
  },
  searxng({ method }, { pathname, searchParams }) {
    if (method !== 'GET' || pathname !== '/search') return [404, {}]
    if (searchParams.get('format') !== 'json') return [403, 'Forbidden']
    return searchParams.get('q') ? undefined : [400, {}]
  },
}

const rows = Array.from({ length: 12 }, (_, index) => ({
  title: `T${index}`,
  url: `https://a.example/${index}`,
}))
const answers: Record<SearchProvider, unknown> = {
  brave: {
    type: 'search',
    query: { original: 'q' },
    web: {
      type: 'search',
      results: rows.map((row) => ({ ...row, description: 'Some <strong>text</strong> &amp; more' })),
    },
  },
  tavily: {
    query: 'q',
    answer: null,
    images: [],
    results: rows.map((row) => ({ ...row, content: 'Some text & more', score: 0.9 })),
  },
  searxng: {
    query: 'q',
    number_of_results: 0,
    results: rows.map((row) => ({ ...row, content: 'Some text & more', engine: 'x' })),
  },
}

async function search(provider: SearchProvider, answer: Answer, { count = 3, key = 'key', path = '' } = {}) {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      const url = new URL((request.url ?? '').replace(path, ''), 'http://x')
      const [status, content] = doubles[provider](request, url, body) ?? answer
      response.writeHead(status, { location: 'https://elsewhere.example/' })
      response.end(typeof content === 'string' ? content : JSON.stringify(content))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  close = async () => {
    server.close()
    await once(server, 'close')
  }
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const service = { provider, url: `http://${host}${path}/`, readKey: async () => key, outboundAllow: host }
  return searchWeb(service, { query: 'pool & fees', count }, new AbortController().signal)
}

const providers = Object.keys(doubles) as SearchProvider[]

it.each(providers)(
  '%s: asks as its documentation says, and gives titles, addresses and texts',
  async (provider) => {
    expect(await search(provider, [200, answers[provider]], { path: '/below' })).toEqual(
      rows.slice(0, 3).map((row) => ({ ...row, text: 'Some text & more' })),
    )
  },
)

it.each([
  ['brave', { type: 'search', query: {} }],
  ['tavily', { results: [] }],
  ['searxng', { results: [] }],
] as const)('%s: no result is no failure', async (provider, answer) => {
  expect(await search(provider, [200, answer])).toEqual([])
})

it.each(providers)('%s: a failure is never an empty list', async (provider) => {
  for (const [answer, message] of [
    [[429, {}], 'takes no more searches for now (429)'],
    [[500, ''], 'the error 500'],
    [[302, ''], 'did not answer'],
    [[200, '<html>'], 'could not be read'],
    [[200, { detail: 'x' }], 'could not be read'],
  ] as const) {
    await expect(search(provider, answer)).rejects.toThrow(message)
    await close()
  }
  close = async () => undefined
})

it.each(['brave', 'tavily'] as const)('%s: a wrong key is told as an error', async (provider) => {
  await expect(search(provider, [200, answers[provider]], { key: 'wrong' })).rejects.toThrow(
    /the error 4\d\d/,
  )
})

it('leaves out what is no address of the web, and cuts what is long', async () => {
  const results = [
    { title: 'x'.repeat(400), url: 'https://a.example/', content: 'y'.repeat(2_000) },
    { title: null, url: 'https://b.example/', content: null },
    { title: 'bad', url: 'javascript:alert(1)', content: '' },
    { title: 'without an address' },
    null,
  ]
  expect(
    (await search('searxng', [200, { results }])).map(({ title, text }) => [title.length, text.length]),
  ).toEqual([
    [300, 1_000],
    [0, 0],
  ])
})
