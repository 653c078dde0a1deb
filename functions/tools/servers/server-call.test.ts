import type { Client } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { aServerConnection } from '../../../test/support/server-connection.ts'
import type { McpClient } from './remote.ts'
import type { ListedTool } from './server.ts'
import { serverCalls } from './server-call.ts'

const integration = { mcpId: 'tables', name: 'Tables' }

it('a call that its server never completes says how often it was made', async () => {
  let made = 0
  const session = {
    callTool: () => {
      made += 1
      return Promise.resolve({ resultType: 'input_required', requestState: 'again' })
    },
    getServerCapabilities: () => undefined,
  } as unknown as Client
  const client = { use: (_: unknown, __: unknown, work: (one: Client) => unknown) => work(session) }
  const calls = serverCalls(
    client as unknown as McpClient,
    aServerConnection('https://tables.example/mcp', { integration }),
    {} as never,
    { delaysMs: [0, 0] },
  )
  const entry = { name: 'book', inputSchema: { type: 'object' } } as unknown as ListedTool
  const { signal } = new AbortController()
  await expect(calls.callTool(entry, {}, { signal, writes: false })).rejects.toThrow(
    'Tables did not complete the call after 3 attempts.',
  )
  expect(made).toBe(3)
})
