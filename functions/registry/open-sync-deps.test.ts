import { beforeEach, expect, it, vi } from 'vitest'
import { openSyncDeps } from './open-sync-deps.ts'

beforeEach(() => {
  vi.stubEnv('TABLE_NAME', 'table')
  vi.stubEnv('AWS_REGION', 'eu-central-1')
  vi.stubEnv('OUTBOUND_ALLOW', '127.0.0.1:4801')
})

it.each([
  ['https://mcp.example.com/mcp', true],
  // what the operator allows
  ['http://127.0.0.1:4801/mcp', true],
  ['http://127.0.0.1:4802/mcp', false],
  ['http://mcp.example.com/mcp', false],
  ['https://10.0.0.1/mcp', false],
  ['https://{tenant}.example.com/mcp', false],
  ['https://mcp.example.com/{tenant}', false],
  ['no address', false],
  [`https://mcp.example.com/${'x'.repeat(2_000 - 'https://mcp.example.com/'.length)}`, true],
  [`https://mcp.example.com/${'x'.repeat(2_001 - 'https://mcp.example.com/'.length)}`, false],
])('a server at %.40s may be listed: %s', (url, mayBeCalled) => {
  expect(openSyncDeps().mayBeCalled(url)).toBe(mayBeCalled)
})

it.each(['TABLE_NAME', 'GITHUB_API_URL', 'MCP_REGISTRY_URL'])('reports that %s is invalid', (name) => {
  vi.stubEnv(name, name === 'TABLE_NAME' ? undefined : 'no address')
  expect(openSyncDeps).toThrow(name)
})
