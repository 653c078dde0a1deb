import { createMcpHandler, type CreateMcpHandlerOptions, type McpServer } from '@modelcontextprotocol/server'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from '../../listen.ts'
import { readBody } from '../../read-body.ts'

const maxBodyBytes = 1024 * 1024

export interface McpEndpoint {
  /** URL of the MCP endpoint, as a user enters it */
  readonly url: string
  /** `host:port`, which the outbound guard has to allow */
  readonly host: string
  close(): Promise<void>
}

export interface ServeOptions extends CreateMcpHandlerOptions {
  /** 0 takes any free one */
  port?: number
  /** answers requests for other paths than the MCP endpoint's with a page; undefined: 404 */
  respondElsewhere?: (method: string, url: URL) => { status: number; html: string } | undefined
}

/**
 * Serves MCP servers that are made with the protocol's own library, over streamable HTTP at `/mcp`.
 * @param create makes the server of one request; gets `http://host:port`
 */
export async function serveMcp(
  create: (origin: string) => McpServer,
  { port = 0, respondElsewhere, ...options }: ServeOptions = {},
): Promise<McpEndpoint> {
  const http = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  const listening = await listen(http, port)
  const mcp = createMcpHandler(() => create(listening.url), options)

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', listening.url)
    const method = request.method ?? 'GET'
    const body = await readBody(request, maxBodyBytes, () => new Error('the body is too large'))
    if (url.pathname !== '/mcp') {
      const { status, html } = respondElsewhere?.(method, url) ?? { status: 404, html: '' }
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html)
      return
    }
    const disconnected = new AbortController()
    response.once('close', () => disconnected.abort())
    const mcpResponse = await mcp.fetch(
      new Request(url, {
        method,
        headers: new Headers(request.headers as Record<string, string>),
        ...(body.length > 0 && { body: new Uint8Array(body) }),
        signal: disconnected.signal,
      }),
    )
    response.writeHead(mcpResponse.status, Object.fromEntries(mcpResponse.headers))
    for await (const part of mcpResponse.body ?? []) response.write(part)
    response.end()
  }

  return {
    url: `${listening.url}/mcp`,
    host: `127.0.0.1:${listening.port}`,
    async close() {
      await mcp.close()
      await listening.close()
    },
  }
}
