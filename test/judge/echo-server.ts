import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import * as z from 'zod'

/** A server of the protocol's own library, with a tool that says again what it is told. */
export const echoServer = createMcpHandler(() => {
  const server = new McpServer({ name: 'judge', version: '1' })
  const inputSchema = z.object({ message: z.string() })
  server.registerTool('echo', { description: 'Says it again.', inputSchema }, ({ message }) => ({
    content: [{ type: 'text', text: `Echo: ${message}` }],
  }))
  return server
})

/** Answers a request of Node's server by a handler for web requests. */
export async function respond(
  message: IncomingMessage,
  response: ServerResponse,
  origin: string,
  handle: (request: Request) => Promise<Response>,
): Promise<void> {
  const body = await buffer(message)
  const answer = await handle(
    new Request(new URL(message.url ?? '/', origin), {
      method: message.method ?? 'GET',
      headers: new Headers(message.headers as Record<string, string>),
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    }),
  )
  response.setHeaders(answer.headers).writeHead(answer.status)
  response.end(Buffer.from(await answer.arrayBuffer()))
}
