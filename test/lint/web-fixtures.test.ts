import { readFile } from 'node:fs/promises'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anIntegration, findImpossibleState } from '../support/connections.ts'

/**
 * Tests of the page answer through `fakeApi`, which checks every request and every answer against the route's contract. Components get
 * a whole conversation of `fakeConversation`: one without a state fails when a timer reads it.
 */

const root = join(import.meta.dirname, '../..')
const forbidden: readonly [what: string, pattern: RegExp][] = [
  ['mocks call-api.ts', /vi\.(?:do)?mock\(\s*['"][^'"]*\/call-api\.ts['"]/i],
  ['casts to callApi', /\bas\s+typeof\s+(?:callApi|authorizedFetch|prepareRequest)\b/],
  ['makes a callApi of its own', /vi\.fn<typeof (?:callApi|authorizedFetch|prepareRequest)>/],
  ['casts an answer past its contract', /\bas\s+unknown\s+as\s+Route(?:Response|Request)\b/],
  ['casts a connection past the server’s view', /\bas\s+(?:unknown\s+as\s+)?Connection\b/],
  ['casts to a conversation', /\bas\s+(?:unknown\s+as\s+)?(?:Conversation|ConversationState)\b/],
]
const listFindings = (text: string) =>
  forbidden.filter(([, pattern]) => pattern.test(text)).map(([what]) => what)

describe('tests of the page', () => {
  const files = globSync('web/src/**/*.test.{ts,tsx}', { cwd: root })

  it('are found', () => {
    expect(files.length).toBeGreaterThan(50)
  })

  it.each(files)('%s answers with responses of the contracts', async (file) => {
    expect(listFindings(await readFile(join(root, file), 'utf8'))).toEqual([])
  })
})

it.each(globSync('test/fuzz/*.test.tsx', { cwd: root }))('%s has no cast to a conversation', async (file) => {
  expect(listFindings(await readFile(join(root, file), 'utf8'))).not.toContain('casts to a conversation')
})

it.each([
  ["vi.mock('../../lib/api/call-api.ts', () => api)", 'mocks call-api.ts'],
  ["vi.mock(\n  '../lib/api/call-api.ts',\n)", 'mocks call-api.ts'],
  ["vi.doMock('../lib/api/call-api.ts')", 'mocks call-api.ts'],
  ['answer as unknown as typeof callApi', 'casts to callApi'],
  ['vi.fn<typeof callApi>()', 'makes a callApi of its own'],
  ["({}) as unknown as RouteResponse<'tools.list'>", 'casts an answer past its contract'],
  ['{ ...row } as Connection', 'casts a connection past the server’s view'],
  ['{ decide } as unknown as Conversation', 'casts to a conversation'],
])('%s is reported', (text, what) => {
  expect(listFindings(text)).toContain(what)
})

describe('a connection that no server would return', () => {
  const healthy = anIntegration()

  it('cannot be created', () => {
    expect(() => anIntegration({ status: 'disconnected', token_status: 'invalid' })).toThrow(
      'a disconnected connection has no token that is invalid',
    )
    const later = new Date(Date.now() + 3_600_000).toISOString()
    expect(() => anIntegration({ token_status: 'expired', expires_at: later })).toThrow(
      'the server says active',
    )
  })

  it.each([
    [{ token_status: 'expired' as const }, 'token_status'],
    [{ token_status: 'invalid' as const }, 'needsAttention'],
    [{ health_status: 'attention' as const }, 'health_status'],
    [{ display_status: 'stale' as const }, 'display_status'],
    [{ expires_at: new Date(0).toISOString() }, 'expires_at'],
    [{ id: 'i1' }, 'id'],
  ])('is refused by the fake API: %o', (change, field) => {
    const reason = findImpossibleState({ ...healthy, ...change })
    expect(reason).toMatch(/where the server says/)
    expect(field in change || reason?.startsWith(field)).toBe(true)
    expect(findImpossibleState(healthy)).toBeUndefined()
  })
})
