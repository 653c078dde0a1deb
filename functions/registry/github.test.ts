import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { gitHub } from './github.ts'

let server: Server
let respond: (request: IncomingMessage, response: ServerResponse) => void
let apiUrl: string
const requests: IncomingMessage[] = []

beforeEach(async () => {
  requests.length = 0
  server = createServer((request, response) => {
    requests.push(request)
    respond(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/root`
})

afterEach(() => {
  server.close()
  server.closeAllConnections()
})

const list = (etag?: string, token?: string) =>
  gitHub({ apiUrl, readToken: async () => token }).listServers(etag)

const buildEntry = (name: string, type = 'dir') => ({
  name,
  type,
  sha: `sha-${name}`,
  path: `src/${name}`,
  size: 0,
})

it('REG-29 requests the contents of src and returns its directories', async () => {
  respond = (_, response) => {
    response.setHeader('etag', 'W/"1"')
    response.end(JSON.stringify([buildEntry('.git'), buildEntry('fetch'), buildEntry('README.md', 'file')]))
  }
  expect(await list()).toEqual({
    servers: [
      { name: '.git', revision: 'sha-.git' },
      { name: 'fetch', revision: 'sha-fetch' },
    ],
    etag: 'W/"1"',
  })
  expect(requests[0]?.url).toBe('/root/repos/modelcontextprotocol/servers/contents/src')
  expect(requests[0]?.headers).toMatchObject({
    accept: 'application/vnd.github+json',
    'user-agent': 'juno-assistant',
  })
  expect(requests[0]?.headers).not.toHaveProperty('authorization')
  expect(requests[0]?.headers).not.toHaveProperty('if-none-match')
})

it('sends the token and the ETag of the last listing, and treats 304 as unchanged', async () => {
  respond = (_, response) => response.writeHead(304).end()
  expect(await list('W/"1"', 'secret')).toBe('unchanged')
  expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer secret', 'if-none-match': 'W/"1"' })
})

it.each([
  ['403', (_: unknown, response: ServerResponse) => response.writeHead(403).end('{"message":"rate limit"}')],
  ['500', (_: unknown, response: ServerResponse) => response.writeHead(500).end()],
  ['no answer', (request: IncomingMessage) => request.socket.destroy()],
  ['the answer could not be read', (_: unknown, response: ServerResponse) => response.end('<html>')],
  ['the answer could not be read', (_: unknown, response: ServerResponse) => response.end('{"name":"x"}')],
  ['the answer is too large', (_: unknown, response: ServerResponse) => response.end(' '.repeat(2_100_000))],
  [
    'the answer broke off',
    (_: unknown, response: ServerResponse) => {
      response.writeHead(200, { 'content-length': 100 }).write('[', () => response.destroy())
    },
  ],
])('REG-38 fails with "GitHub API error: %s"', async (reason, misbehave) => {
  respond = misbehave
  await expect(list()).rejects.toMatchObject({ name: 'GitHubFailed', message: `GitHub API error: ${reason}` })
})

it('REG-30 reads the README and the package of a directory, and the statistics of the repository', async () => {
  const encode = (text: string) => ({
    type: 'file',
    encoding: 'base64',
    // with the line breaks that the API puts in
    content: Buffer.from(text)
      .toString('base64')
      .replace(/(.{8})/g, '$1\n'),
  })
  respond = ({ url }, response) => {
    if (url?.endsWith('/README.md')) response.end(JSON.stringify(encode('# Fetch – reads pages')))
    else if (url?.endsWith('/package.json')) response.end(JSON.stringify(encode('{"description":"x"}')))
    else response.end('{"stargazers_count":3,"forks_count":2,"watchers_count":3,"subscribers_count":1}')
  }
  const client = gitHub({ apiUrl, readToken: async () => undefined })
  expect(await client.readServer('fetch')).toEqual({
    readme: '# Fetch – reads pages',
    packageJson: '{"description":"x"}',
  })
  expect(new Set(requests.map(({ url }) => url?.split('/contents/')[1]))).toEqual(
    new Set(['src/fetch/README.md', 'src/fetch/package.json']),
  )
  expect(await client.statistics()).toEqual({ stars: 3, forks: 2, watchers: 1 })
})

it('REG-30 treats a missing file, or one of 5 MB, as absent, and an interrupted one as a failure', async () => {
  respond = ({ url }, response) => {
    if (url?.endsWith('/package.json')) response.writeHead(404).end('{"message":"Not Found"}')
    else response.end(JSON.stringify({ encoding: 'base64', content: 'A'.repeat(7_000_000) }))
  }
  const client = gitHub({ apiUrl, readToken: async () => undefined })
  expect(await client.readServer('fetch')).toEqual({ readme: undefined, packageJson: undefined })
  respond = (_, response) =>
    void response.writeHead(200, { 'content-length': 100 }).write('{"encoding":', () => response.destroy())
  await expect(client.readServer('fetch')).rejects.toMatchObject({ name: 'GitHubFailed' })
})

it.each<[number, Record<string, string>, string]>([
  [429, {}, '429 (rate limit)'],
  [403, { 'retry-after': '60' }, '403 (rate limit)'],
  [403, { 'x-ratelimit-remaining': '0' }, '403 (rate limit)'],
  // 2026-11-20T08:05:00Z
  [
    403,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1795161900' },
    '403 (rate limit until 08:05 UTC)',
  ],
  [429, { 'x-ratelimit-reset': '0' }, '429 (rate limit)'],
  [429, { 'x-ratelimit-reset': 'soon' }, '429 (rate limit)'],
  // not a valid date
  [429, { 'x-ratelimit-reset': '99999999999999' }, '429 (rate limit)'],
])('REG-38 recognises a rate limit: %i with %j', async (status, headers, reason) => {
  respond = (_, response) => response.writeHead(status, headers).end()
  await expect(list()).rejects.toMatchObject({ message: `GitHub API error: ${reason}`, rateLimited: true })
})

it.each([{}, { 'x-ratelimit-remaining': '1' }])(
  'does not treat a refusal with %j as a rate limit',
  async (headers) => {
    respond = (_, response) => response.writeHead(403, headers).end()
    await expect(list()).rejects.toMatchObject({ message: 'GitHub API error: 403', rateLimited: false })
  },
)
