import { expect, it } from 'vitest'
import { buildGitHubEntry } from './github-entry.ts'

const now = new Date('2026-11-20T03:17:00Z')
const buildEntry = (
  directory: string,
  { readme, packageJson }: { readme?: string; packageJson?: string } = {},
  statistics?: { stars: number; forks: number; watchers: number },
) => buildGitHubEntry(directory, { readme, packageJson }, statistics, now)
const page = 'https://github.com/modelcontextprotocol/servers/tree/main/src/fetch'

it('an empty directory becomes an entry with its name', () => {
  expect(buildEntry('fetch')).toEqual({
    id: 'github-mcp-fetch',
    name: 'Fetch',
    description: 'MCP server fetch',
    provider: 'Model Context Protocol',
    auth_type: 'api_key',
    config: {
      features: [],
      popularity: 50,
      source: 'github',
      repository: page,
      server_name: 'fetch',
      documentation_url: page,
      setup_instructions: [],
      required_credentials: [],
      last_updated: now.toISOString(),
    },
    updated_at: now.toISOString(),
  })
})

it('an entry has the package’s description, or else the README’s', () => {
  const readme = '# T\n\nReads pages.\n\n## Setup\n\nSet A_TOKEN.\n'
  expect(buildEntry('fetch', { readme })).toMatchObject({
    description: 'Reads pages.',
    config: { setup_instructions: ['Set A_TOKEN.'], required_credentials: ['A_TOKEN'] },
  })
  const packageJson = JSON.stringify({ description: ' Fetches\npages ', homepage: 'https://fetch.example/' })
  expect(buildEntry('fetch', { readme, packageJson })).toMatchObject({
    description: 'Fetches pages',
    config: { documentation_url: 'https://fetch.example/' },
  })
  for (const brokenJson of ['{', '{"description":1,"homepage":"http://insecure.example"}', 'null'])
    expect(buildEntry('fetch', { readme, packageJson: brokenJson })).toMatchObject({
      description: 'Reads pages.',
      config: { documentation_url: page },
    })
  expect(
    buildEntry('fetch', { packageJson: JSON.stringify({ description: 'x'.repeat(400) }) }).description,
  ).toHaveLength(300)
})

it('an entry includes the repository’s stars and the popularity computed from them', () => {
  expect(buildEntry('fetch', {}, { stars: 1_000, forks: 100, watchers: 50 }).config).toMatchObject({
    github_stars: 1_000,
    popularity: 64,
  })
})

it.each([
  ['sequentialthinking', '# Sequential Thinking MCP Server\n\nThinks.', 'Sequential Thinking'],
  ['sequential-thinking', '', 'Sequential Thinking'],
  ['aws-kb-retrieval', '# AWS KB Retrieval server', 'AWS KB Retrieval'],
  ['fetch', '# The Fetch server', 'Fetch'],
  ['memory', undefined, 'Memory'],
])('REG-34 %s with the README %j is called %s', (directory, readme, name) => {
  const files = { readme, packageJson: undefined }
  expect(buildGitHubEntry(directory, files, undefined, new Date()).name).toBe(name)
})
