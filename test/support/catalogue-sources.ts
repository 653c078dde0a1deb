import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from '../../infra/local/listen.ts'

/** How the catalogue's sources behave from now on, and the requests they got. */
const state = {
  fault: undefined as 'rate-limit' | 'cut' | 'slow' | undefined,
  release: () => undefined as void,
  calls: [] as string[],
  stars: 400,
}
const encodeFile = (text: string) => ({
  type: 'file',
  encoding: 'base64',
  // with the line breaks that the API inserts
  content: Buffer.from(text)
    .toString('base64')
    .replace(/(.{60})/g, '$1\n'),
})

function respond(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://localhost')
  state.calls.push(url.pathname)
  const json = (status: number, value: unknown, headers: Record<string, string> = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
  if (url.pathname === '/v0.1/servers') {
    const cursor = url.searchParams.get('cursor')
    const name = cursor ? 'com.example/second' : 'com.example/first'
    return void json(200, {
      servers: url.searchParams.has('updated_since')
        ? []
        : [
            {
              server: {
                name,
                description: 'Remote',
                version: '1',
                remotes: [{ type: 'streamable-http', url: 'https://mcp.example.com/' }],
              },
              _meta: {
                'io.modelcontextprotocol.registry/official': {
                  status: 'active',
                  updatedAt: '2026-11-01T00:00:00Z',
                  isLatest: true,
                },
              },
            },
            { nonsense: true },
          ],
      metadata: { ...(!cursor && !url.searchParams.has('updated_since') && { nextCursor: 'two' }) },
    })
  }
  if (state.fault === 'rate-limit')
    return void json(
      403,
      { message: 'API rate limit exceeded' },
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1795145400' },
    )
  if (state.fault === 'cut')
    return void response
      .writeHead(200, { 'content-length': '1000' })
      .write('[{"name"', () => response.destroy())
  const path = url.pathname.replace('/repos/modelcontextprotocol/servers', '')
  if (path === '/contents/src') {
    const listing = () =>
      json(
        200,
        [
          { name: 'weather', type: 'dir', sha: 'w1' },
          { name: 'docs', type: 'dir', sha: 'd' },
          { name: 'a.md', type: 'file', sha: 'f' },
        ],
        { etag: '"e1"' },
      )
    if (state.fault === 'slow') state.release = () => void listing()
    else if (request.headers['if-none-match'] === '"e1"') response.writeHead(304).end()
    else listing()
    return
  }
  if (path === '')
    return void json(200, {
      stargazers_count: state.stars,
      forks_count: 50,
      watchers_count: 400,
      subscribers_count: 10,
    })
  if (path === '/contents/src/weather/README.md')
    return void json(
      200,
      encodeFile('# W\n\nTells the weather – everywhere.\n\n## Setup\n\nSet WEATHER_API_KEY.\n'),
    )
  json(404, { message: 'Not Found' })
}

/** The parts of the contents API and the MCP Registry that the product uses, at one address, with injectable faults. */
export async function startCatalogueSources() {
  const listening = await listen(createServer(respond))
  return { url: listening.url, state, close: () => listening.close() }
}
