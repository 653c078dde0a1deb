import type { UserType } from '@aws-sdk/client-cognito-identity-provider'
import { expect, it } from 'vitest'
import { hashPerson, type UserLine } from './manifest.ts'
import { planAccount } from './restore-accounts.ts'

const user = (fields: Partial<UserLine> = {}, attributes: Record<string, string> = {}): UserLine => ({
  sub: 'ann',
  username: 'ann',
  attributes: { email: 'ann@example.com', email_verified: 'true', ...attributes },
  enabled: true,
  status: 'CONFIRMED',
  groups: [],
  ...fields,
})
const account = (UserStatus: UserType['UserStatus'], verified: string): UserType => ({
  Username: 'new',
  UserStatus,
  Attributes: [{ Name: 'email_verified', Value: verified }],
})
const federated = user({ username: 'Google_1' }, { identities: '[{"providerName":"Google"}]' })

it.each([
  ['of nobody there', user(), undefined, 'create'],
  ['that is there', user({}, { email: 'Ann@example.com' }), account('CONFIRMED', 'true'), 'found'],
  ['whose creation was interrupted', user(), account('FORCE_CHANGE_PASSWORD', 'true'), 'create'],
  ['that an earlier run has served', user({ sub: 'fay' }), account('CONFIRMED', 'true'), 'restored'],
  ['that was deleted since an earlier run', user({ sub: 'fay' }), undefined, 'restored'],
  // somebody else may have signed up with the address
  ['whose address is not confirmed there', user(), account('CONFIRMED', 'false'), 'taken'],
  ['that is being signed up', user(), account('UNCONFIRMED', 'true'), 'taken'],
  ['that was never confirmed', user({ status: 'UNCONFIRMED' }), undefined, 'unconfirmed'],
  ['of an erased person', user({ sub: 'eve' }), undefined, 'erased'],
  ['of an identity provider', federated, account('CONFIRMED', 'true'), 'provider'],
])('an account %s: %s', (_, line, there, outcome) => {
  const pool = {
    byEmail: new Map(there ? [['ann@example.com', there]] : []),
    byUsername: new Map<string, UserType>(),
    subs: new Set<string>(),
  }
  const restored = new Set([hashPerson('fay')])
  expect(planAccount(line, { forgotten: [hashPerson('eve')] }, pool, restored).outcome).toBe(outcome)
})

it('an account of an identity provider is known by its name there', () => {
  const there = account('EXTERNAL_PROVIDER', 'false')
  const pool = {
    byEmail: new Map<string, UserType>(),
    byUsername: new Map([['Google_1', there]]),
    subs: new Set<string>(),
  }
  expect(planAccount(federated, { forgotten: [] }, pool, new Set())).toMatchObject({
    outcome: 'joined',
    found: there,
  })
  expect(planAccount(federated, { forgotten: [] }, pool, new Set([hashPerson('ann')]))).toMatchObject({
    outcome: 'restored',
  })
})
