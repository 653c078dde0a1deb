import { createServer } from 'node:http'
import { listen } from '../../infra/local/listen.ts'

interface PublishedRemote {
  /** as in `com.example/notes` */
  name: string
  title: string
  url: string
  type?: 'streamable-http' | 'sse'
  description?: string
  /** secret headers that it requires */
  headers?: readonly string[]
}

/**
 * A paginated registry with a test's entries, which can be set while it runs. It never reports changes: only a forced sync reads
 * later ones.
 */
export async function startMcpRegistry() {
  const published: PublishedRemote[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const start = Number(url.searchParams.get('cursor') ?? 0)
    const end = start + Number(url.searchParams.get('limit') ?? 30)
    const page = url.searchParams.has('updated_since') ? [] : published.slice(start, end)
    const metadata = page.length > 0 && end < published.length ? { nextCursor: String(end) } : {}
    const servers = page.map(({ name, title, url: address, type, description, headers }) => ({
      server: {
        name,
        title,
        description: description ?? 'A remote server',
        version: '1',
        remotes: [
          {
            type: type ?? 'streamable-http',
            url: address,
            ...(headers && { headers: headers.map((header) => ({ name: header, isSecret: true })) }),
          },
        ],
      },
      _meta: {
        'io.modelcontextprotocol.registry/official': {
          status: 'active',
          updatedAt: '2026-11-01T00:00:00Z',
          isLatest: true,
        },
      },
    }))
    const isServerList = url.pathname === '/v0.1/servers'
    response
      .writeHead(isServerList ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(isServerList ? { servers, metadata } : {}))
  })
  const listening = await listen(server)
  return { url: listening.url, published, close: () => listening.close() }
}
