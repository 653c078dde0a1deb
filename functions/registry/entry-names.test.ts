import { expect, it } from 'vitest'
import { nameEntries } from './entry-names.ts'
import type { StoredEntry } from './stored-entry.ts'

function buildEntry(serverName: string, name: string, remote: string): StoredEntry {
  return {
    id: `mcp-${serverName.replace(/[^a-z]/g, '-')}`,
    name,
    description: '',
    provider: serverName.split('/')[0] ?? '',
    auth_type: 'unknown',
    config: {
      features: [],
      popularity: 50,
      source: 'mcp-registry',
      server_name: serverName,
      remote_url: remote,
    },
    updated_at: '2026-11-20T00:00:00.000Z',
  }
}
const vendor = buildEntry('com.zendesk/mcp', 'Zendesk', 'https://mcp.zendesk.com/mcp')
const listNames = (...entries: StoredEntry[]) =>
  Object.fromEntries(nameEntries(entries).listed.map(({ name, config }) => [config.server_name, name]))

it.each([
  [
    'an account at a code host',
    buildEntry('io.github.mallory/x', 'Zendesk', 'https://mallory.github.io/mcp'),
  ],
  ['a host that many share', buildEntry('ai.smithery/zendesk', 'Zendesk', 'https://server.smithery.ai/z')],
  ['a domain of another name', buildEntry('com.mallory/x', 'Zendesk', 'https://mcp.mallory.com/')],
  ['an address with a similar ending', buildEntry('com.mallory/y', 'Zendesk', 'https://evilzendesk.com/')],
  ['a title that looks the same', buildEntry('io.github.mallory/z', 'Z\u0435ndesk', 'https://x.example/')],
])('the vendor keeps its title against %s, regardless of who came first (M5)', (_, squatter) => {
  for (const order of [
    [vendor, squatter],
    [squatter, vendor],
  ])
    expect(listNames(...order)).toEqual({
      'com.zendesk/mcp': 'Zendesk',
      [squatter.config.server_name ?? '']: `${squatter.name} (${squatter.provider})`,
    })
})

it('two equally good claims both get a suffix, and no name is listed twice', () => {
  const other = buildEntry('xyz.zendesk/mcp', 'zendesk', 'https://mcp.zendesk.xyz/')
  expect(listNames(vendor, other)).toEqual({
    'com.zendesk/mcp': 'Zendesk (com.zendesk)',
    'xyz.zendesk/mcp': 'zendesk (xyz.zendesk)',
  })
  const second = buildEntry('com.zendesk/beta', 'Zendesk', 'https://beta.zendesk.com/')
  expect(listNames(vendor, second)).toEqual({
    'com.zendesk/mcp': 'Zendesk (com.zendesk)',
    'com.zendesk/beta': 'Zendesk (com.zendesk/beta)',
  })
})

it('a title that ends in another publisher’s namespace gets its own as well (M5)', () => {
  const liar = buildEntry('io.github.mallory/x', 'Zendesk (com.zendesk)', 'https://mallory.github.io/')
  expect(listNames(liar)).toEqual({ 'io.github.mallory/x': 'Zendesk (com.zendesk) (io.github.mallory)' })
})

it('a server of the official repository keeps its title', () => {
  const fetch: StoredEntry = {
    ...vendor,
    id: 'github-mcp-fetch',
    name: 'Fetch',
    provider: 'Model Context Protocol',
    config: { features: [], popularity: 50, source: 'github', server_name: 'fetch' },
  }
  expect(listNames(buildEntry('com.fetch/x', 'fetch', 'https://fetch.com/'), fetch)).toEqual({
    fetch: 'Fetch',
    'com.fetch/x': 'fetch (com.fetch)',
  })
})

it('an entry without a server address has no claim to a title', () => {
  const claimant = buildEntry('com.zendesk/none', 'Zendesk', 'https://mcp.zendesk.com/mcp')
  delete claimant.config.remote_url
  expect(listNames(claimant, vendor)).toEqual({
    'com.zendesk/mcp': 'Zendesk',
    'com.zendesk/none': 'Zendesk (com.zendesk)',
  })
})
