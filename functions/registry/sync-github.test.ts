import { sayRegistry } from '#shared/sentences/registry.ts'
import { describe, expect, it } from 'vitest'
import { createEntryIndex } from './entry-index.ts'
import { GitHubFailed } from './errors.ts'
import { buildGitHubEntry } from './github-entry.ts'
import type { GitHub } from './github.ts'
import { syncGitHub } from './sync-github.ts'

const now = new Date('2026-11-20T03:17:00Z')
const yesterday = new Date('2026-11-19T03:17:00Z')
const files = { readme: 'Reads.', packageJson: undefined }
const buildStoredEntry = (name: string, text = files) => buildGitHubEntry(name, text, undefined, yesterday)

/** GitHub with directories, each at its revision `new`. @param faults by directory, or `statistics` */
function buildGitHub(directories: string[], faults: Record<string, Error> = {}) {
  const requests: string[] = []
  const respond = <Value>(name: string, value: Value) => {
    requests.push(name)
    return faults[name] ? Promise.reject(faults[name]) : Promise.resolve(value)
  }
  const github: GitHub = {
    listServers: (etag) =>
      respond(`listing ${etag ?? ''}`.trim(), {
        servers: directories.map((name) => ({ name, revision: 'new' })),
        etag: 'etag-2',
      }),
    readServer: (name) => respond(name, files),
    statistics: () => respond('statistics', { stars: 10, forks: 0, watchers: 0 }),
  }
  return { github, requests }
}
const buildOptions = (revisions: Record<string, string>) => ({
  known: { revisions, etag: 'etag-1' },
  force: false,
  now,
})
const listIds = (index: ReturnType<typeof createEntryIndex>) => index.all().map(({ id }) => id)

describe('a sync of GitHub', () => {
  it('REG-30 reads what is new or changed, and statistics each time', async () => {
    const index = createEntryIndex([buildStoredEntry('same'), buildStoredEntry('changed')])
    const { github, requests } = buildGitHub(['same', 'changed', 'fresh'])
    const outcome = await syncGitHub(github, index, buildOptions({ same: 'new', changed: 'old' }))
    expect(requests).toEqual(['listing etag-1', 'statistics', 'changed', 'fresh'])
    expect(outcome).toEqual({
      revisions: { same: 'new', changed: 'new', fresh: 'new' },
      etag: 'etag-2',
      errors: [],
      failed: false,
    })
    const unchanged = buildGitHub(['same'])
    await syncGitHub(unchanged.github, index, buildOptions({ same: 'new' }))
    expect(unchanged.requests).toEqual(['listing etag-1', 'statistics'])
    expect(index.get('github-mcp-same')?.config.github_stars).toBe(10)
  })

  it('reads known directories that are not stored, and everything when forced', async () => {
    const { github, requests } = buildGitHub(['one', 'two'])
    await syncGitHub(
      github,
      createEntryIndex([buildStoredEntry('one')]),
      buildOptions({ one: 'new', two: 'new' }),
    )
    expect(requests).toEqual(['listing etag-1', 'statistics', 'two'])
    const forcedSync = buildGitHub(['one'])
    await syncGitHub(forcedSync.github, createEntryIndex([buildStoredEntry('one')]), {
      ...buildOptions({ one: 'new' }),
      force: true,
    })
    expect(forcedSync.requests).toEqual(['listing', 'statistics', 'one'])
  })

  it('removes the entries of deleted directories', async () => {
    const stats = { stars: 10, forks: 0, watchers: 0 }
    const index = createEntryIndex(
      ['one', 'gone'].map((name) => buildGitHubEntry(name, files, stats, yesterday)),
    )
    const { revisions } = await syncGitHub(
      buildGitHub(['one']).github,
      index,
      buildOptions({ one: 'new', gone: 'old' }),
    )
    expect(revisions).toEqual({ one: 'new' })
    expect(listIds(index)).toEqual(['github-mcp-one'])
    expect(index.counts()).toEqual({ new: 0, updated: 0, removed: 1 })
  })

  it('keeps the times of an entry that is unchanged when it is read again', async () => {
    const entry = buildGitHubEntry('one', files, { stars: 10, forks: 0, watchers: 0 }, yesterday)
    const index = createEntryIndex([entry])
    await syncGitHub(buildGitHub(['one']).github, index, buildOptions({ one: 'old' }))
    expect(index.all()).toEqual([entry])
    expect(index.counts()).toEqual({ new: 0, updated: 0, removed: 0 })
    const otherIndex = createEntryIndex([
      buildStoredEntry('one', { readme: 'Read otherwise.', packageJson: undefined }),
    ])
    await syncGitHub(buildGitHub(['one']).github, otherIndex, buildOptions({ one: 'old' }))
    expect(otherIndex.get('github-mcp-one')).toMatchObject({ updated_at: now.toISOString() })
    expect(otherIndex.counts()).toEqual({ new: 0, updated: 1, removed: 0 })
  })

  it.each(['docs', 'EXAMPLES', 'scripts', 'Tests', '.github', '-x', 'a.b', `a${'b'.repeat(45)}`])(
    '%s is not a server',
    async (name) => {
      const { github } = buildGitHub([name, `a${'b'.repeat(44)}`])
      const { revisions } = await syncGitHub(github, createEntryIndex([]), buildOptions({}))
      expect(Object.keys(revisions)).toEqual([`a${'b'.repeat(44)}`])
    },
  )
})

describe('a failure', () => {
  const fault = new GitHubFailed(sayRegistry('github_failed.status', { status: 500 }))
  const rateLimit = new GitHubFailed(sayRegistry('github_failed.rate_limit', { status: 403 }), {
    rateLimited: true,
  })

  it('is reported, and that directory is read again next time', async () => {
    const index = createEntryIndex([buildStoredEntry('known')])
    const { github, requests } = buildGitHub(['known', 'fresh', 'fine'], { known: fault, fresh: fault })
    expect(await syncGitHub(github, index, buildOptions({ known: 'old' }))).toMatchObject({
      revisions: { known: 'old', fine: 'new' },
      etag: undefined,
      errors: [{ text: 'known: GitHub API error: 500' }, { text: 'fresh: GitHub API error: 500' }],
      failed: false,
    })
    expect(requests).toContain('fine')
    expect(listIds(index)).toEqual(['github-mcp-known', 'github-mcp-fine'])
  })

  it('of a forced sync is repaired by the next one, though the directories are unchanged', async () => {
    const index = createEntryIndex([buildStoredEntry('one'), buildStoredEntry('two')])
    const { github } = buildGitHub(['one', 'two', 'three'], { one: rateLimit })
    const forced = { ...buildOptions({ one: 'new', two: 'new' }), force: true }
    expect(await syncGitHub(github, index, forced)).toMatchObject({ revisions: { one: '', two: '' } })
    const { github: nextGitHub, requests } = buildGitHub(['one', 'two'])
    await syncGitHub(nextGitHub, index, buildOptions({ one: '', two: '' }))
    expect(requests).toEqual(['listing etag-1', 'statistics', 'one', 'two'])
  })

  it('by a rate limit ends the sync: what was not read stays as it was', async () => {
    const index = createEntryIndex([buildStoredEntry('three')])
    const { github, requests } = buildGitHub(['one', 'two', 'three', 'four'], { two: rateLimit })
    expect(await syncGitHub(github, index, buildOptions({ three: 'old', two: 'old' }))).toMatchObject({
      revisions: { one: 'new', two: 'old', three: 'old' },
      errors: [{ text: 'two: GitHub API error: 403 (rate limit)' }],
      failed: false,
    })
    expect(requests).toEqual(['listing etag-1', 'statistics', 'one', 'two'])
  })

  it('of the statistics keeps the stars that are known, and the next sync reads them', async () => {
    const known = buildGitHubEntry('known', files, { stars: 7, forks: 0, watchers: 0 }, yesterday)
    const index = createEntryIndex([known])
    const { github } = buildGitHub(['known', 'fresh'], { statistics: fault })
    expect(await syncGitHub(github, index, buildOptions({ known: 'old' }))).toMatchObject({
      revisions: { known: 'new', fresh: 'new' },
      errors: [{ text: 'GitHub API error: 500' }],
      failed: false,
    })
    expect(index.get('github-mcp-known')?.config).toEqual(known.config)
    expect(index.get('github-mcp-fresh')?.config).not.toHaveProperty('github_stars')
    const next = buildGitHub(['known', 'fresh'])
    await syncGitHub(next.github, index, buildOptions({ known: 'new', fresh: 'new' }))
    expect(next.requests).toEqual(['listing etag-1', 'statistics'])
    expect(index.all().map(({ config }) => config.github_stars)).toEqual([10, 10])
  })

  it('of the listing, or a listing without servers, changes nothing', async () => {
    const index = createEntryIndex([buildStoredEntry('one')])
    const unchangedOutcome = { revisions: { one: 'old' }, etag: 'etag-1', failed: true }
    const failing = buildGitHub(['one'], { 'listing etag-1': fault })
    expect(await syncGitHub(failing.github, index, buildOptions({ one: 'old' }))).toMatchObject({
      ...unchangedOutcome,
      errors: [{ text: 'GitHub API error: 500' }],
    })
    expect(await syncGitHub(buildGitHub(['docs']).github, index, buildOptions({ one: 'old' }))).toMatchObject(
      {
        ...unchangedOutcome,
        errors: [{ text: 'GitHub API error: the listing is empty' }],
      },
    )
    expect(listIds(index)).toEqual(['github-mcp-one'])
  })

  it.each(['listing etag-1', 'statistics', 'one'])(
    'inside the product in %s is thrown',
    async (failingRequest) => {
      const { github } = buildGitHub(['one'], { [failingRequest]: new TypeError('bug') })
      await expect(syncGitHub(github, createEntryIndex([]), buildOptions({}))).rejects.toThrow('bug')
    },
  )
})
