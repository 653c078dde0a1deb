import { expect, it } from 'vitest'
import {
  dedupe,
  paginate,
  popularity,
  createRegistryIndex,
  type SearchableEntry,
} from '#shared/registry-search.ts'

const buildEntry = (
  name: string,
  more: Partial<SearchableEntry> & {
    features?: string[]
    popularity?: number
    source?: SearchableEntry['config']['source']
    remote_url?: string
  } = {},
) => ({
  id: name.toLowerCase().replaceAll(' ', '-'),
  name,
  description: '',
  provider: '',
  auth_type: 'api_key' as const,
  ...more,
  config: {
    features: more.features ?? [],
    popularity: more.popularity ?? 50,
    source: more.source ?? 'builtin',
    ...(more.remote_url !== undefined && { remote_url: more.remote_url }),
  },
})
const listNames = (entries: { name: string }[]) => entries.map(({ name }) => name)

it.each([
  ['REG-10', 'a second entry with the id of the first', { id: 'zoom', name: 'Zoom Two' }],
  ['REG-11', 'a second entry with the name of the first in other letters', { id: 'zoom-2', name: 'zoom' }],
])('%s dedupe leaves out %s', (_, __, second) => {
  expect(dedupe([], [{ id: 'zoom', name: 'Zoom' }, second])).toEqual([{ id: 'zoom', name: 'Zoom' }])
})

it('REG-12 in dedupe the database wins, by id and by name', () => {
  const rows = [
    { id: 'gmail', name: 'Google Mail' },
    { id: 'x', name: 'SLACK' },
  ]
  const fallback = [
    { id: 'gmail', name: 'Gmail' },
    { id: 'slack', name: 'Slack' },
    { id: 'zoom', name: 'Zoom' },
  ]
  expect(listNames(dedupe(rows, fallback))).toEqual(['Google Mail', 'SLACK', 'Zoom'])
})

it('REG-13 finds in name, description, provider and features, ignoring case', () => {
  const search = createRegistryIndex([
    buildEntry('Mail'),
    buildEntry('A', { description: 'reads MAIL' }),
    buildEntry('B', { provider: 'MailCorp' }),
    buildEntry('C', { features: ['Send mail'] }),
    buildEntry('D'),
  ])
  expect(listNames(search({ term: ' mAIl ' }))).toEqual(['Mail', 'A', 'B', 'C'])
  expect(search({ term: 'nothing' })).toEqual([])
  expect(search({})).toHaveLength(5)
})

it('DEC-151 puts servers that only run on people’s own computers last, in a search too', () => {
  const search = createRegistryIndex([
    buildEntry('Memory', { source: 'github', popularity: 100 }),
    buildEntry('Hosted memory', {
      source: 'mcp-registry',
      remote_url: 'https://m.example/mcp',
      popularity: 20,
    }),
    buildEntry('Gmail', { description: 'no memory of mails', popularity: 10 }),
  ])
  const order = ['Hosted memory', 'Gmail', 'Memory']
  expect(listNames(search({}))).toEqual(order)
  expect(listNames(search({ term: 'memory' }))).toEqual(order)
})

it('REG-14 ranks name matches first, then popularity, then name', () => {
  const search = createRegistryIndex([
    buildEntry('Drive notes', { popularity: 10 }),
    buildEntry('Zeta', { description: 'drive', popularity: 100 }),
    buildEntry('Beta', { description: 'drive', popularity: 60 }),
    buildEntry('Alpha', { description: 'drive', popularity: 60 }),
    buildEntry('My drive', { popularity: 90 }),
  ])
  expect(listNames(search({ term: 'drive' }))).toEqual(['My drive', 'Drive notes', 'Zeta', 'Alpha', 'Beta'])
})

it('REG-14 sorts numbers in names by their value', () => {
  const search = createRegistryIndex(
    ['Remote 30', 'Remote 3', 'Remote 29', 'remote 4'].map((name) => buildEntry(name)),
  )
  expect(listNames(search({}))).toEqual(['Remote 3', 'remote 4', 'Remote 29', 'Remote 30'])
})

it('REG-15 REG-16 filters by a part of the provider and by the exact auth type', () => {
  const search = createRegistryIndex([
    buildEntry('A', { provider: 'Google Inc', auth_type: 'oauth2' }),
    buildEntry('B', { provider: 'Google Inc' }),
    buildEntry('C', { provider: 'Slack', auth_type: 'oauth2' }),
  ])
  expect(listNames(search({ provider: 'goog' }))).toEqual(['A', 'B'])
  expect(listNames(search({ provider: 'goog', auth_type: 'oauth2' }))).toEqual(['A'])
  expect(search({ auth_type: 'oauth' })).toEqual([])
})

it('REG-22 returns pages with total and hasMore', () => {
  const all = Array.from({ length: 45 }, (_, index) => index)
  expect(paginate(all, { page: 1, limit: 20 })).toMatchObject({ total: 45, hasMore: true, page: 1 })
  expect(paginate(all, { page: 3, limit: 20 })).toEqual({
    items: [40, 41, 42, 43, 44],
    total: 45,
    hasMore: false,
    page: 3,
  })
  expect(paginate(all, { page: 9, limit: 20 })).toMatchObject({ items: [], hasMore: false })
})

it.each([
  [{ stars: 100, forks: 50, watchers: 10 }, 10],
  [{ stars: 1_000, forks: 100, watchers: 50 }, 64],
  [{ stars: 84_000, forks: 10_000, watchers: 700 }, 100],
  [undefined, 50],
])('REG-35 REG-36 LIM-22 popularity of %j is %i', (stats, expected) => {
  expect(popularity(stats)).toBe(expected)
})

it('searches 20,000 entries', () => {
  const words = ['notes', 'mail', 'files', 'chat', 'calendar', 'search', 'billing', 'maps']
  const many = Array.from({ length: 20_000 }, (_, index) =>
    buildEntry(`Server ${index} ${words[index % 8]}`, {
      description: `Reads and writes ${words[(index * 3) % 8]} of ${words[(index * 5) % 8]} for teams`,
      popularity: index % 90,
    }),
  )
  const search = createRegistryIndex(many)
  expect(search({ term: 'billing' }).length).toBeGreaterThan(2_500)
  expect(search({ term: 'server 19999' })).toHaveLength(1)
})
