import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { gitHub } from './github.ts'

let server: Server
let answer: (request: IncomingMessage, response: ServerResponse) => void
let apiUrl: string
const asked: IncomingMessage[] = []

beforeEach(async () => {
  asked.length = 0
  server = createServer((request, response) => {
    asked.push(request)
    answer(request, response)
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

const entry = (name: string, type = 'dir') => ({
  name,
  type,
  sha: `sha-${name}`,
  path: `src/${name}`,
  size: 0,
})

it('REG-29 asks for the contents of src and gives its directories', async () => {
  answer = (_, response) => {
    response.setHeader('etag', 'W/"1"')
    response.end(JSON.stringify([entry('.git'), entry('fetch'), entry('README.md', 'file')]))
  }
  expect(await list()).toEqual({
    servers: [
      { name: '.git', revision: 'sha-.git' },
      { name: 'fetch', revision: 'sha-fetch' },
    ],
    etag: 'W/"1"',
  })
  expect(asked[0]?.url).toBe('/root/repos/modelcontextprotocol/servers/contents/src')
  expect(asked[0]?.headers).toMatchObject({
    accept: 'application/vnd.github+json',
    'user-agent': 'juno-assistant',
  })
  expect(asked[0]?.headers).not.toHaveProperty('authorization')
  expect(asked[0]?.headers).not.toHaveProperty('if-none-match')
})

it('sends the token and the mark of the last listing, and takes 304 as unchanged', async () => {
  answer = (_, response) => response.writeHead(304).end()
  expect(await list('W/"1"', 'secret')).toBe('unchanged')
  expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer secret', 'if-none-match': 'W/"1"' })
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
  answer = misbehave
  await expect(list()).rejects.toMatchObject({ name: 'GitHubFailed', message: `GitHub API error: ${reason}` })
})
