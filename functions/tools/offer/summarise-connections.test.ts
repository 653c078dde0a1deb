import { expect, it } from 'vitest'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { sayToolList } from '#shared/sentences/tool-lists.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import type { ConnectionRow } from '../../integrations/store/connection-repository.ts'
import type { Connections } from '../../integrations/credentials/open-connections.ts'
import type { ConnectionDeps } from '../servers/load-connections.ts'
import { summariseTools } from './summarise-tools.ts'

const buildRow = (parts: Partial<ConnectionRow>): ConnectionRow =>
  ({
    mcp_id: 'notes',
    mcp_name: 'Notes',
    provider: 'Example',
    status: 'connected',
    token_status: 'active',
    auth_type: 'none',
    environment: 'production',
    parameters: {},
    usage_count: 3,
    last_used_at: '2026-11-20T08:00:00.000Z',
    remote: { url: 'https://notes.example/mcp', fields: [] },
    ...parts,
  }) as ConnectionRow

/** @param leftOut why tools are missing from the server's list */
function summarise(
  rows: ConnectionRow[],
  { leftOut = [], url = 'https://notes.example/mcp' }: { leftOut?: Sentence[]; url?: string } = {},
) {
  const listedServers: string[] = []
  const connections = {
    integrations: { list: () => Promise.resolve(rows) },
    customTools: { list: () => Promise.resolve([]) },
    credentials: { list: () => Promise.resolve(new Map()) },
    registry: {
      find: () =>
        Promise.resolve({ credential_fields: [], config: { remote_url: url } } as unknown as RegistryEntry),
    },
  } as unknown as Connections
  const servers: ConnectionDeps['servers'] = {
    open: async ({ integration }) => ({
      timeoutMs: 1,
      listTools: async () => {
        listedServers.push(integration.mcpId)
        return { tools: [], leftOut }
      },
      callTool: () => Promise.reject(new Error('no call is expected')),
    }),
  }
  return { listedServers, summaries: summariseTools({ connections, servers }, 'ann') }
}

it('lists connected integrations with a name, with how often they were used', async () => {
  const { listedServers, summaries } = summarise([
    buildRow({}),
    buildRow({ mcp_id: 'ended', status: 'disconnected' as ConnectionRow['status'] }),
    buildRow({ mcp_id: 'nameless', mcp_name: undefined as never }),
  ])
  expect(await summaries).toEqual([
    {
      id: 'notes',
      name: 'Notes',
      provider: 'Example',
      status: 'connected',
      health_status: 'healthy',
      lastUsed: '2026-11-20T08:00:00.000Z',
      usage_count: 3,
      capabilities: [],
      problem: 'No tools yet',
      code: 'no_tools',
    },
  ])
  expect(listedServers).toEqual(['notes'])
})

it('does not ask a server that moved, and says that it needs a reconnect', async () => {
  const { listedServers, summaries } = summarise([buildRow({})], { url: 'https://evil.example/mcp' })
  expect(await summaries).toMatchObject([
    {
      health_status: 'attention',
      capabilities: [],
      problem: 'Notes has moved to evil.example. Connect again to use it there.',
      code: 'reconnect',
      params: { reason: 'moved', name: 'Notes', host: 'evil.example' },
    },
  ])
  expect(listedServers).toEqual([])
})

it('names two tools that are left out, and counts the others', async () => {
  const leftOut = ['a', 'b', 'c', 'd'].map((tool) => sayToolList('tool_unusable.depth', { tool }))
  const reason = 'cannot be used: its description is nested too deeply'
  const summariseLeftOut = async (count: number) =>
    await summarise([buildRow({})], { leftOut: leftOut.slice(0, count) }).summaries
  expect(await summariseLeftOut(2)).toMatchObject([
    { problem: `Not all of its tools: a ${reason} and b ${reason}`, code: 'not_all_tools' },
  ])
  expect(await summariseLeftOut(4)).toMatchObject([
    { problem: `Not all of its tools: a ${reason}, b ${reason} and 2 more` },
  ])
})

it('does not claim that tools are missing where nobody can tell', async () => {
  const repeated = sayToolList('tools_cut.repeated', { max: 8 })
  const unusable = sayToolList('tool_unusable.no_name')
  expect(await summarise([buildRow({})], { leftOut: [repeated] }).summaries).toMatchObject([
    {
      problem: 'Perhaps not all of its tools: its list begins again after 8 tools',
      code: 'perhaps_not_all_tools',
    },
  ])
  expect(await summarise([buildRow({})], { leftOut: [repeated, unusable] }).summaries).toMatchObject([
    {
      problem:
        'Not all of its tools: its list begins again after 8 tools and a tool without a name cannot be used',
    },
  ])
})
