import { afterEach, expect, it, vi } from 'vitest'
import { registryEntry } from '#shared/contracts/registry.ts'
import { connectRequest } from '#shared/contracts/integrations.ts'
import { dedupe, paginate, popularity, createRegistryIndex } from '#shared/registry-search.ts'
import { createEntryIndex } from '../../functions/registry/entry-index.ts'
import { toEntryView } from '../../functions/registry/entry-view.ts'
import { GitHubFailed, McpRegistryFailed } from '../../functions/registry/errors.ts'
import { buildGitHubEntry } from '../../functions/registry/github-entry.ts'
import { gitHub } from '../../functions/registry/github.ts'
import { nameEntries } from '../../functions/registry/entry-names.ts'
import { toMcpRegistryEntry, toMcpRegistryId } from '../../functions/registry/mcp-registry-entry.ts'
import { mcpRegistry } from '../../functions/registry/mcp-registry.ts'
import { parseReadme } from '../../functions/registry/readme.ts'
import { storedEntry, type StoredEntry } from '../../functions/registry/stored-entry.ts'
import {
  anyJson,
  arbitraryText,
  fc,
  limitCpuTime,
  limitCpuTimeAsync,
  mutatedJson,
  backtrackingText,
  stringify,
} from '../support/fuzz.ts'

afterEach(() => vi.unstubAllGlobals())

const pieces = [
  '#',
  '# ',
  '## Setup',
  '[',
  '](',
  '![',
  '<',
  '<!--',
  '-->',
  '```',
  '~~~',
  '- ',
  '1. ',
  '|',
  '*',
  '`',
  '_API_KEY',
  'A_',
  '\n',
  '\t',
]
const readme = fc.oneof(
  arbitraryText(),
  backtrackingText(pieces, 100_000),
  fc
    .array(fc.oneof(fc.constantFrom(...pieces), arbitraryText(30)), { maxLength: 60 })
    .map((parts) => parts.join('')),
)
const now = new Date('2026-11-20T00:00:00Z')

function expectPlain(text: string, maxCharacters: number): void {
  expect(text.length).toBeLessThanOrEqual(maxCharacters)
  expect(text.isWellFormed()).toBe(true)
  expect(text).not.toMatch(/[\n\r\u202e]/)
}

it('a README gives plain sentences, steps and names, in time', () => {
  fc.assert(
    fc.property(readme, (text) => {
      const { description, setupInstructions, requiredCredentials } = limitCpuTime(() => parseReadme(text))
      if (description !== undefined) expectPlain(description, 300)
      expect(setupInstructions.length).toBeLessThanOrEqual(12)
      for (const step of setupInstructions) expectPlain(step, 300)
      for (const name of requiredCredentials) expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/)
    }),
    {
      examples: [[`# y${' '.repeat(2_000)}\u2028x`], [`# ${'#'.repeat(100_000)}x`], ['](!['.repeat(33_000)]],
    },
  )
})

/** An entry that the page can show and a user can connect. */
function expectUsable(entry: StoredEntry): void {
  expect(storedEntry.parse(JSON.parse(JSON.stringify(entry)))).toEqual(JSON.parse(JSON.stringify(entry)))
  const view = registryEntry.parse(toEntryView(entry))
  expect(view.id).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  expectPlain(view.name, 101)
  expectPlain(view.description, 301)
  for (const link of [view.open_url, view.config.documentation_url, view.config.repository])
    if (link) expect(new URL(link).protocol).toBe('https:')
  const names = view.credential_fields.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  connectRequest.parse({ credentials: Object.fromEntries(names.map((name) => [name, 'x'])) })
}

const packageJson = fc.oneof(
  arbitraryText(),
  mutatedJson(
    { description: 'About', homepage: 'https://a.example' },
    fc.oneof(anyJson(), arbitraryText()),
  ).map(stringify),
)

it('files of the official repository become an entry', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,44}$/),
      readme,
      packageJson,
      (name, text, packageText) => {
        expectUsable(
          limitCpuTime(() =>
            buildGitHubEntry(
              name,
              { readme: text, packageJson: packageText },
              { stars: 1, forks: 2, watchers: 3 },
              now,
            ),
          ),
        )
      },
    ),
  )
})

const publishedEntry = {
  server: {
    name: 'com.example/server',
    description: 'About',
    title: 'Server',
    websiteUrl: 'https://a.example',
    repository: { url: 'https://b.example' },
    remotes: [
      {
        type: 'streamable-http',
        url: 'https://mcp.example/mcp',
        headers: [{ name: 'X-Key', isSecret: true }],
      },
    ],
  },
  _meta: {
    'io.modelcontextprotocol.registry/official': {
      status: 'active',
      updatedAt: '2026-11-01T00:00:00Z',
      isLatest: true,
    },
  },
}
const collidingHeaders = ['X-Key', 'X Key', 'X_Key'].map((name) => ({ name, isSecret: true }))
const oddValue = fc.oneof(
  fc.constant<unknown>(collidingHeaders),
  anyJson(),
  arbitraryText(),
  fc.constantFrom('javascript:alert(1)', 'deleted', 'a/b', '+275760-09-13T00:00:00.001Z', '0'),
)

it('any page of the registry gives entries that can be shown', async () => {
  const page = fc
    .array(fc.oneof(fc.constant<unknown>(publishedEntry), mutatedJson(publishedEntry, oddValue)), {
      maxLength: 5,
    })
    .chain((servers) => {
      const registryPage = { servers, metadata: { nextCursor: 'x' } }
      return fc.oneof(fc.constant<unknown>(registryPage), mutatedJson(registryPage, oddValue))
    })
  await fc.assert(
    fc.asyncProperty(page, fc.constantFrom(200, 200, 200, 404, 500), async (body, status) => {
      vi.stubGlobal('fetch', async () => new Response(stringify(body), { status }))
      try {
        const { servers } = await limitCpuTimeAsync(() =>
          mcpRegistry({ apiUrl: 'https://r.example' }).page({ cursor: 'a', since: undefined }),
        )
        const index = createEntryIndex([])
        for (const one of servers) {
          const entry = toMcpRegistryEntry(one, (url) => url.startsWith('https://'))
          if (!entry || 'excluded' in entry) continue
          expectUsable(entry)
          index.put(entry)
        }
        const { listed, imitations } = nameEntries(index.all())
        expect(new Set(listed.map(({ name }) => name.toLowerCase())).size).toBe(listed.length)
        expect(listed.length + imitations.length).toBe(index.all().length)
      } catch (error) {
        if (!(error instanceof McpRegistryFailed)) throw error
      }
    }),
  )
})

it('any response of GitHub is handled', async () => {
  const file = { encoding: 'base64', content: 'eA==' }
  const listing = [{ name: 'fetch', type: 'dir', sha: 'a' }]
  const body = fc
    .oneof(
      mutatedJson(file, oddValue),
      mutatedJson(listing, oddValue),
      mutatedJson({ stargazers_count: 1, forks_count: 2 }, oddValue),
    )
    .map(stringify)
  const header = fc.dictionary(
    fc.constantFrom('x-ratelimit-reset', 'x-ratelimit-remaining', 'retry-after', 'etag'),
    fc.oneof(fc.constantFrom('0', '1e300', '-1', '99999999999999999', 'soon'), fc.nat().map(String)),
  )
  await fc.assert(
    fc.asyncProperty(
      body,
      header,
      fc.constantFrom(200, 200, 304, 403, 404, 429, 500),
      async (text, headers, status) => {
        vi.stubGlobal('fetch', async () => new Response(status === 304 ? null : text, { status, headers }))
        const github = gitHub({ apiUrl: 'https://g.example', readToken: async () => undefined })
        for (const request of [
          () => github.listServers('x'),
          () => github.readServer('fetch'),
          () => github.statistics(),
        ])
          try {
            await request()
          } catch (error) {
            if (!(error instanceof GitHubFailed)) throw error
          }
      },
    ),
  )
})

it('ids of published servers are valid, and no two names share one', () => {
  fc.assert(
    fc.property(arbitraryText(), arbitraryText(), (one, other) => {
      expect(toMcpRegistryId(one)).toMatch(/^[a-z0-9-]{1,64}$/)
      if (one !== other) expect(toMcpRegistryId(one)).not.toBe(toMcpRegistryId(other))
    }),
  )
})

it('a search finds entries with the word, and its pages list each entry once', () => {
  const entry = fc.record({
    id: fc.uuid(),
    name: arbitraryText(20),
    description: arbitraryText(20),
    provider: arbitraryText(10),
    auth_type: fc.constantFrom('oauth2' as const, 'none' as const),
    config: fc.record({
      features: fc.array(arbitraryText(10), { maxLength: 2 }),
      popularity: fc.integer({ min: 10, max: 100 }),
      source: fc.constantFrom('builtin' as const, 'github' as const),
    }),
  })
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 12 }),
      arbitraryText(5),
      fc.integer({ min: 1, max: 5 }),
      (entries, term, limit) => {
        const search = createRegistryIndex(entries)
        expect(search({})).toHaveLength(entries.length)
        const found = search({ term })
        for (const one of found)
          expect(
            [one.name, one.description, one.provider, ...one.config.features].join('\n').toLowerCase(),
          ).toContain(term.trim().toLowerCase())
        const pages = []
        for (let page = 1; ; page += 1) {
          const { items, hasMore, total } = paginate(found, { page, limit })
          expect(total).toBe(found.length)
          pages.push(...items)
          if (!hasMore) break
        }
        expect(pages).toEqual(found)
        const unique = dedupe(entries, entries)
        expect(dedupe(unique, entries)).toEqual(unique)
      },
    ),
  )
  fc.assert(
    fc.property(fc.double(), fc.double(), fc.double(), (stars, forks, watchers) => {
      const value = popularity({ stars, forks, watchers })
      expect(value >= 10 && value <= 100).toBe(true)
    }),
  )
})
