import { expect, it } from 'vitest'
import { toMcpRegistryEntry, toMcpRegistryId } from './mcp-registry-entry.ts'
import type { PublishedServer } from './mcp-registry.ts'

type Server = PublishedServer['server']
type Meta = PublishedServer['_meta']['io.modelcontextprotocol.registry/official']

const buildRemote = (
  url: string,
  type = 'streamable-http',
  headers?: Server['remotes'][number]['headers'],
) => ({
  type,
  url,
  headers,
})

const buildServer = (server: Partial<Server> = {}, meta: Partial<Meta> = {}): PublishedServer => ({
  server: {
    name: 'com.example/notes',
    description: 'Takes notes',
    title: undefined,
    websiteUrl: undefined,
    repository: undefined,
    remotes: [buildRemote('https://mcp.example.com/')],
    ...server,
  },
  _meta: {
    'io.modelcontextprotocol.registry/official': {
      status: 'active',
      updatedAt: '2026-11-01T00:00:00Z',
      isLatest: true,
      ...meta,
    },
  },
})
const read = (server?: Partial<Server>, meta?: Partial<Meta>) =>
  toMcpRegistryEntry(buildServer(server, meta), (url) => !url.includes('10.0.0.1'))

it('an entry contains what its publisher says', () => {
  expect(read()).toEqual({
    id: toMcpRegistryId('com.example/notes'),
    name: 'notes',
    description: 'Takes notes',
    provider: 'com.example',
    auth_type: 'unknown',
    config: {
      features: [],
      popularity: 50,
      source: 'mcp-registry',
      server_name: 'com.example/notes',
      remote_url: 'https://mcp.example.com/',
    },
    updated_at: '2026-11-01T00:00:00.000Z',
  })
})

it('an entry contains a title, links and a deprecation if there are any', () => {
  const repository = { url: 'https://code.example/notes' }
  expect(read({ title: ' My\nnotes ', websiteUrl: 'https://example.com/', repository })).toMatchObject({
    name: 'My notes',
    config: { repository: repository.url, documentation_url: 'https://example.com/' },
  })
  const entry = read({ title: ' ', websiteUrl: 'http://example.com/', repository }, { status: 'deprecated' })
  expect(entry).toMatchObject({
    name: 'notes',
    config: { repository: repository.url, documentation_url: repository.url, deprecated: true },
  })
  expect(read({ websiteUrl: 'https://example.com/', repository: { url: 'git@x' } })).not.toHaveProperty(
    'config.repository',
  )
})

it('an entry requires the credentials that its server wants, ten at most', () => {
  const headers = [
    { name: 'X-Plain', isSecret: false },
    ...Array.from({ length: 11 }, (_, n) => ({ name: `X-Key-${n}`, isSecret: true })),
  ]
  const entry = read({ remotes: [buildRemote('https://mcp.example.com/', 'sse', headers)] })
  expect(entry).toMatchObject({ auth_type: 'api_key' })
  expect(entry).toHaveProperty(
    'config.required_credentials',
    Array.from({ length: 10 }, (_, n) => `X-Key-${n}`),
  )
  const longHeader = [{ name: 'k'.repeat(65), isSecret: true }]
  expect(read({ remotes: [buildRemote('https://mcp.example.com/', 'sse', longHeader)] })).toHaveProperty(
    'config.required_credentials',
    [`${'k'.repeat(63)}…`],
  )
  expect(
    read({ remotes: [buildRemote('https://mcp.example.com/', 'sse', headers.slice(0, 1))] }),
  ).toMatchObject({
    auth_type: 'unknown',
  })
})

it('an entry uses the first address that may be called and whose transport is supported', () => {
  const remotes = [
    buildRemote('https://mcp.example.com/other', 'stdio'),
    buildRemote('https://10.0.0.1/mcp'),
    buildRemote('https://mcp.example.com/sse', 'sse'),
  ]
  expect(read({ remotes })).toHaveProperty('config.remote_url', 'https://mcp.example.com/sse')
  expect(read({ remotes: remotes.slice(0, 2) })).toEqual({ excluded: 'forbidden_address' })
  expect(read({ remotes: remotes.slice(0, 1) })).toEqual({ excluded: 'no_remote_server' })
})

it.each(['no-namespace', 'a/b/c', 'a b/c', '/c', 'a/', 'a/b ', 'x\na/b'])(
  '%j is not a valid server name',
  (name) => {
    expect(read({ name })).toEqual({ excluded: 'invalid_name' })
  },
)

it('ignores deleted and outdated versions', () => {
  expect(read({}, { status: 'deleted' })).toBeUndefined()
  expect(read({}, { isLatest: false })).toBeUndefined()
  expect(read({ name: 'invalid' }, { status: 'deleted' })).toBeUndefined()
})

it('an entry without a readable time gets the oldest possible one', () => {
  for (const updatedAt of [undefined, 'yesterday'])
    expect(read({}, { updatedAt })).toMatchObject({ updated_at: '1970-01-01T00:00:00.000Z' })
})

it('cuts long texts', () => {
  const name = `${'n'.repeat(150)}/${'s'.repeat(150)}`
  expect(read({ name, description: 'd'.repeat(301) })).toMatchObject({
    name: 's'.repeat(100),
    description: `${'d'.repeat(299)}…`,
    provider: 'n'.repeat(100),
    config: { server_name: name.slice(0, 200) },
  })
  expect(read({ title: 't'.repeat(101) })).toMatchObject({ name: `${'t'.repeat(99)}…` })
})

it('ids are readable, short and distinct', () => {
  expect(toMcpRegistryId('com.Example/My.Notes')).toMatch(/^mcp-com-example-my-notes-[0-9a-f]{8}$/)
  expect(toMcpRegistryId('.a/b.')).toMatch(/^mcp-a-b-[0-9a-f]{8}$/)
  expect(toMcpRegistryId('a.b/c')).not.toBe(toMcpRegistryId('a-b/c'))
  expect(toMcpRegistryId('x'.repeat(100))).toMatch(/^mcp-x{43}-[0-9a-f]{8}$/)
  // cut where there would be two hyphens
  expect(toMcpRegistryId(`${'x'.repeat(42)}/yyy`)).toMatch(/^mcp-x{42}-[0-9a-f]{8}$/)
})
