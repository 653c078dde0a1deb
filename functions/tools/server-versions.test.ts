import { createMcpHandler, InMemoryServerEventBus, McpServer } from '@modelcontextprotocol/server'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import * as z from 'zod'
import { aServerConnection, openMcpServers } from '../../test/support/server-connection.ts'
import { openTestTable } from '../../test/support/table.ts'
import { outboundHttp } from '../platform/net/outbound-http.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

/** A server built with the official MCP library. @param legacy whether it also answers the handshake from before 2026-07-28 */
async function startLibraryServer(legacy: 'stateless' | 'reject') {
  const names = ['double']
  const methods: string[] = []
  const bus = new InMemoryServerEventBus()
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'library', version: '1' })
      for (const name of names)
        server.registerTool(
          name,
          { description: 'Doubles a number', inputSchema: z.object({ value: z.number() }) },
          ({ value }) => ({ content: [{ type: 'text', text: String(2 * value) }] }),
        )
      return server
    },
    { legacy, bus },
  )
  const http = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request)
      if (body.length > 0) methods.push(String((JSON.parse(body.toString()) as { method: unknown }).method))
      const disconnect = new AbortController()
      response.once('close', () => disconnect.abort())
      const result = await handler.fetch(
        new Request(`http://127.0.0.1${request.url}`, {
          method: request.method ?? 'GET',
          headers: new Headers(request.headers as Record<string, string>),
          ...(body.length > 0 && { body }),
          signal: disconnect.signal,
        }),
      )
      response.writeHead(result.status, Object.fromEntries(result.headers))
      for await (const part of result.body ?? []) response.write(part)
      response.end()
    })().catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`
  const client = outboundHttp({ allow: [host], timeoutMs: 20_000 })
  const servers = openMcpServers(client, table)
  const integration = { mcpId: crypto.randomUUID(), name: 'Library' }
  const connection = aServerConnection(`http://${host}/mcp`, { integration, namePrefix: 'library' })
  onTestFinished(async () => {
    await servers.close()
    http.closeAllConnections()
    http.close()
    await client.close()
  })
  return { servers, connection, methods, names, handler, bus }
}

it('uses the newest revision with a server that supports only it', async () => {
  const { servers, connection, methods } = await startLibraryServer('reject')
  const { tools } = await servers.listTools(connection)
  expect(tools).toMatchObject([{ name: 'library_double' }])
  expect(await tools[0]?.run({ value: 21 }, new AbortController().signal)).toBe('42')
  expect(methods).not.toContain('initialize')
  expect(methods).toContain('server/discover')
})

it('uses the newest revision with a server that supports both, and notices changed tools', async () => {
  const { servers, connection, methods, names, handler, bus } = await startLibraryServer('stateless')
  await servers.listTools(connection)
  expect(methods).not.toContain('initialize')
  await vi.waitFor(() => expect(methods).toContain('subscriptions/listen'))
  names.push('triple')
  await vi.waitFor(() => expect(bus.listenerCount).toBe(1))
  handler.notify.toolsChanged()
  await vi.waitFor(async () => {
    const { tools } = await servers.listTools(connection)
    expect(tools.map(({ name }) => name)).toEqual(['library_double', 'library_triple'])
  })
})
