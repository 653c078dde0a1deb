import { expect, it } from 'vitest'
import type { RevocationMark } from '../../platform/auth/token-revocation.ts'
import { AccountNotFound } from '../../platform/errors.ts'
import { loadPrincipal, type PrincipalDeps } from './principal.ts'

const approvedAt = Date.parse('2026-11-02T08:00:00.500Z')
const approvedSeconds = Math.floor(approvedAt / 1_000)
const now = Date.parse('2026-12-07T08:00Z')

interface Account {
  enabled?: boolean
  status?: string
  attributes?: Record<string, string>
  poolGroups?: string[]
  providerGroups?: string[]
  isRefused?: boolean
  isGone?: boolean
  hasFactor?: boolean
  needsFactor?: boolean
  hasPasswords?: boolean
  mark?: Partial<RevocationMark>
  handed?: { at: number; since: number; by_hand?: true }
}

function load({ status = 'CONFIRMED', mark, handed, ...account }: Account) {
  const deps: PrincipalDeps = {
    accounts: {
      find: async () => {
        if (account.isGone) throw new AccountNotFound('gone')
        return { Username: 'ann', UserStatus: status as never, Enabled: account.enabled ?? true }
      },
      listGroups: async () => account.poolGroups ?? [],
      hasSecondFactor: async () => account.hasFactor ?? false,
    },
    providers: {
      findGroups: async () => account.providerGroups ?? [],
      findRefusal: () => (account.isRefused ? ({} as never) : undefined),
    },
    hasPasswords: account.hasPasswords ?? true,
    groupLimits: {
      find: async () => ({ require_two_factor: account.needsFactor ?? false }),
      listNames: async () => new Set<string>(),
    },
    loadMark: async () => mark && { ttl: 0, ...mark },
    now: () => now,
  }
  return loadPrincipal(deps, 'sub', { approved_at: approvedAt, handed })
}

it('has the groups of the pool and of the provider, as they are now', async () => {
  const account = { poolGroups: ['staff', 'night'], providerGroups: ['night', 'sales'] }
  expect(await load(account)).toEqual({
    sub: 'sub',
    issuedAt: now / 1_000,
    groups: ['staff', 'night', 'sales'],
  })
})

it.each<[string, Account, string]>([
  ['was deleted', { isGone: true }, 'account'],
  ['is disabled', { enabled: false }, 'account'],
  ['is being erased', { mark: { reason: 'erased', at: 1 } }, 'account'],
  ['has to choose a new password', { status: 'RESET_REQUIRED' }, 'account'],
  ['has a password, which is not enough here', { hasPasswords: false }, 'account'],
  ['is of a provider that was removed', { status: 'EXTERNAL_PROVIDER', isRefused: true }, 'account'],
  ['needs a second factor and has none', { needsFactor: true }, 'two_factor'],
  [
    'was signed out everywhere since the approval',
    { mark: { signedOutAt: approvedSeconds + 1 } },
    'signed_out',
  ],
  ['was signed out in the second of the approval', { mark: { signedOutAt: approvedSeconds } }, 'signed_out'],
])('nothing runs for an account that %s', async (_, account, reason) => {
  expect(await load(account)).toBe(reason)
})

it.each<[string, Account]>([
  ['was signed out before the approval', { mark: { signedOutAt: approvedSeconds - 1 } }],
  ['has other groups since', { mark: { at: approvedSeconds + 1 } }],
  [
    'was signed out, and starts the run itself',
    { mark: { signedOutAt: approvedSeconds + 1 }, handed: { at: now, since: now, by_hand: true } },
  ],
  ['has the second factor that it needs', { needsFactor: true, hasFactor: true }],
  ['has its second factor at its provider', { needsFactor: true, status: 'EXTERNAL_PROVIDER' }],
])('runs go on for an account that %s', async (_, account) => {
  expect(await load(account)).toMatchObject({ sub: 'sub' })
})
