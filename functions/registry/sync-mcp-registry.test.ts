import { sayRegistry } from '#shared/sentences/registry.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { noneExcluded } from '#shared/registry-exclusions.ts'
import { createEntryIndex } from './entry-index.ts'
import { McpRegistryFailed } from './errors.ts'
import { buildGitHubEntry } from './github-entry.ts'
import { toMcpRegistryEntry, toMcpRegistryId } from './mcp-registry-entry.ts'
import type { McpRegistry, PublishedServer } from './mcp-registry.ts'
import type { StoredEntry } from './stored-entry.ts'
import { syncMcpRegistry, type WalkState } from './sync-mcp-registry.ts'

const now = new Date('2026-11-20T03:17:00Z')
const official = 'io.modelcontextprotocol.registry/official'

const buildServer = (name: string, status = 'active'): PublishedServer => ({
  server: {
    name,
    description: '',
    remotes: [{ type: 'sse', url: 'https://mcp.example.com/', headers: undefined }],
    title: undefined,
    websiteUrl: undefined,
    repository: undefined,
  },
  _meta: { [official]: { status, updatedAt: '2026-11-01T00:00:00Z', isLatest: true } },
})
const buildStored = (name: string) => toMcpRegistryEntry(buildServer(name), () => true) as StoredEntry
const listNames = (index: ReturnType<typeof createEntryIndex>) =>
  index.all().map(({ config }) => config.server_name)

/** Pages by their cursor: '' is the first. */
type Pages = Record<string, Partial<Awaited<ReturnType<McpRegistry['page']>>> | Error>

function walk(
  pages: Pages,
  {
    from = { since: undefined, cursor: undefined, walkStarted: undefined },
    index = createEntryIndex([]),
    force = false,
    deadlineMs = Infinity,
    onPage = () => undefined as void,
    checkpoint = () => Promise.resolve(true),
  } = {} as Partial<{
    from: WalkState
    index: ReturnType<typeof createEntryIndex>
    force: boolean
    deadlineMs: number
    onPage: () => void
    checkpoint: (walk: WalkState) => Promise<boolean>
  }>,
) {
  const requests: { cursor: string | undefined; since: string | undefined }[] = []
  const registry: McpRegistry = {
    async page({ cursor, since }) {
      requests.push({ cursor, since })
      onPage()
      const page = pages[cursor ?? '']
      if (page instanceof Error) throw page
      return { servers: [], unreadable: 0, nextCursor: undefined, ...page }
    },
  }
  const outcome = syncMcpRegistry(registry, index, {
    walk: from,
    force,
    now,
    deadlineMs,
    mayBeCalled: () => true,
    checkpoint,
  })
  return { outcome, requests, index }
}

describe('a complete walk', () => {
  const doneOutcome = {
    walk: { since: '2026-11-20T03:12:00.000Z', cursor: undefined, walkStarted: undefined },
    errors: [],
    failed: false,
    lost: false,
    excluded: noneExcluded,
  }

  it('through everything removes entries of this registry that it did not find', async () => {
    const gitHubEntry = buildGitHubEntry(
      'fetch',
      { readme: undefined, packageJson: undefined },
      undefined,
      now,
    )
    const index = createEntryIndex([buildStored('a/stays'), buildStored('a/gone'), gitHubEntry])
    const { outcome, requests } = walk(
      {
        '': { servers: [buildServer('a/stays')], nextCursor: '2' },
        '2': { servers: [buildServer('a/new')] },
      },
      { index },
    )
    expect(await outcome).toEqual(doneOutcome)
    expect(requests).toEqual([
      { cursor: undefined, since: undefined },
      { cursor: '2', since: undefined },
    ])
    expect(listNames(index)).toEqual(['a/stays', 'fetch', 'a/new'])
  })

  it('that finds nothing removes nothing', async () => {
    const { outcome, index } = walk({}, { index: createEntryIndex([buildStored('a/stays')]) })
    await outcome
    expect(listNames(index)).toEqual(['a/stays'])
  })

  it('through the changes removes only deleted entries', async () => {
    const index = createEntryIndex([buildStored('a/stays'), buildStored('a/deleted')])
    const from = { since: '2026-11-19T00:00:00.000Z', cursor: undefined, walkStarted: undefined }
    const servers = [buildServer('a/deleted', 'deleted'), buildServer('a/new')]
    const { outcome, requests } = walk({ '': { servers } }, { index, from })
    expect(await outcome).toEqual(doneOutcome)
    expect(requests).toEqual([{ cursor: undefined, since: from.since }])
    expect(listNames(index)).toEqual(['a/stays', 'a/new'])
  })

  it('that continued from a page removes nothing that it did not find', async () => {
    const from = { since: undefined, cursor: '2', walkStarted: '2026-11-19T10:00:00.000Z' }
    const { outcome, requests, index } = walk(
      { '2': { servers: [buildServer('a/new')] } },
      { from, index: createEntryIndex([buildStored('a/first')]) },
    )
    // the next walk requests changes since this one began, with some overlap for clock differences
    expect(await outcome).toMatchObject({ walk: { since: '2026-11-19T09:55:00.000Z' } })
    expect(requests).toEqual([{ cursor: '2', since: undefined }])
    expect(listNames(index)).toEqual(['a/first', 'a/new'])
  })

  it('starts from the beginning when forced', async () => {
    const from = { since: '2026-11-19T00:00:00.000Z', cursor: '2', walkStarted: '2026-11-19T10:00:00.000Z' }
    const { outcome, requests } = walk({}, { from, force: true })
    expect(await outcome).toEqual(doneOutcome)
    expect(requests).toEqual([{ cursor: undefined, since: undefined }])
  })

  it('keeps a server whose older version is listed after it', async () => {
    const servers = [buildServer('a/x'), buildServer('a/x', 'deleted')]
    const { outcome, index } = walk({ '': { servers } })
    await outcome
    expect(listNames(index)).toEqual(['a/x'])
  })

  it('ends at a page that names itself as the next one', async () => {
    const { outcome, requests } = walk({ '': { nextCursor: '2' }, '2': { nextCursor: '2' } })
    expect(await outcome).toEqual(doneOutcome)
    expect(requests).toHaveLength(2)
  })

  it('counts what is not listed and what could not be read', async () => {
    const index = createEntryIndex([buildStored('a/x')])
    const serverWithoutRemote = {
      ...buildServer('a/x'),
      server: { ...buildServer('a/x').server, remotes: [] },
    }
    const { outcome } = walk(
      {
        '': { servers: [serverWithoutRemote, buildServer('odd')], unreadable: 2, nextCursor: '2' },
        '2': { unreadable: 1 },
      },
      { index, from: { since: now.toISOString(), cursor: undefined, walkStarted: undefined } },
    )
    expect(await outcome).toMatchObject({
      errors: [{ text: '3 entries of the MCP Registry could not be read' }],
      excluded: { ...noneExcluded, no_remote_server: 1, invalid_name: 1 },
    })
    // an entry that is no longer listed is removed
    expect(index.get(toMcpRegistryId('a/x'))).toBeUndefined()
  })
})

describe('an incomplete walk', () => {
  afterEach(() => vi.useRealTimers())
  const threePages: Pages = { '': { nextCursor: '2', unreadable: 1 }, '2': { nextCursor: '3' }, '3': {} }
  const unfinishedError = 'The MCP Registry was not read to its end. The next sync continues from there.'

  it('continues from its page next time', async () => {
    const { outcome } = walk(threePages, { deadlineMs: 0 })
    expect(await outcome).toMatchObject({
      walk: { since: undefined, cursor: '2', walkStarted: now.toISOString() },
      errors: [{ text: unfinishedError }, { text: '1 entries of the MCP Registry could not be read' }],
      failed: false,
      lost: false,
      excluded: noneExcluded,
    })
  })

  it('saves a checkpoint every 20 seconds, and stops when another sync has taken over', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now })
    const pages = Object.fromEntries(
      Array.from({ length: 6 }, (_, n) => [n === 0 ? '' : String(n), { nextCursor: String(n + 1) }]),
    )
    const checkpoints: WalkState[] = []
    const { outcome } = walk(pages, {
      onPage: () => void vi.setSystemTime(Date.now() + 10_000),
      checkpoint: async (at) => checkpoints.push(at) < 2,
    })
    expect(await outcome).toMatchObject({ walk: { cursor: '4' }, errors: [], failed: false, lost: true })
    expect(checkpoints.map(({ cursor }) => cursor)).toEqual(['2', '4'])
  })

  it('stops after 2,000 pages without an end', async () => {
    let page = 0
    const registry: McpRegistry = {
      page: async () => ({ servers: [], unreadable: 0, nextCursor: String((page += 1)) }),
    }
    const outcome = await syncMcpRegistry(registry, createEntryIndex([]), {
      walk: { since: undefined, cursor: undefined, walkStarted: undefined },
      force: false,
      now,
      deadlineMs: Infinity,
      mayBeCalled: () => true,
      checkpoint: async () => true,
    })
    expect([page, outcome.errors]).toMatchObject([2_000, [{ text: unfinishedError }]])
  })

  const from = { since: 's', cursor: '2', walkStarted: 'w' }
  const withoutCursor = { since: 's', cursor: undefined, walkStarted: undefined }
  it.each([
    [400, from, withoutCursor],
    [500, from, from],
    [undefined, from, from],
    [404, { ...from, cursor: undefined }, { since: 's', cursor: undefined, walkStarted: now.toISOString() }],
  ])('is reported for status %s, from %j', async (status, start, next) => {
    const sentence =
      status === undefined
        ? sayRegistry('mcp_registry_failed.unusable')
        : sayRegistry('mcp_registry_failed.status', { status })
    const failure = new McpRegistryFailed(sentence, status === undefined ? {} : { status })
    const { outcome } = walk({ '': failure, '2': failure }, { from: start })
    expect(await outcome).toEqual({
      walk: next,
      errors: [sentence],
      failed: true,
      lost: false,
      excluded: noneExcluded,
    })
  })

  it('throws an internal error', async () => {
    await expect(walk({ '': new TypeError('bug') }).outcome).rejects.toThrow('bug')
  })
})
