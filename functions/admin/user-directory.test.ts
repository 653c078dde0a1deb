import {
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminListGroupsForUserCommand,
  AdminUserGlobalSignOutCommand,
  CognitoIdentityProviderClient,
  ListUsersCommand,
  ListUsersInGroupCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { beforeEach, expect, it } from 'vitest'
import type { ProviderConfig } from '#shared/identity-providers.ts'
import { mockClient } from '../../test/support/mock-client.ts'
import { providerAccounts } from '../sign-in/provider-accounts.ts'
import { userDirectory } from './user-directory.ts'

const cognito = mockClient(CognitoIdentityProviderClient)
const okta: ProviderConfig = {
  type: 'oidc',
  name: 'Okta',
  label: 'Work account',
  domains: [],
  adminGroup: 'assistant-admins',
  usesGroups: true,
}
const providers = providerAccounts([okta])
const listKnownGroups = async () => new Set(['staff'])
const users = userDirectory('pool', new CognitoIdentityProviderClient({}), (attributes) =>
  providers.findGroups(attributes, listKnownGroups),
)

beforeEach(() => {
  cognito.reset()
  cognito.on(AdminGetUserCommand).resolves({})
  cognito
    .on(AdminListGroupsForUserCommand)
    .resolves({ Groups: [{ GroupName: 'pool_Okta' }, { GroupName: 'editors' }] })
})

const find = (provider: string | undefined, UserStatus: 'CONFIRMED' | 'EXTERNAL_PROVIDER') => {
  cognito.on(ListUsersCommand).resolves({
    Users: [
      {
        Username: 'ann',
        UserStatus,
        Attributes: [
          { Name: 'sub', Value: 's' },
          { Name: 'custom:groups', Value: '["staff","unknown","assistant-admins"]' },
          ...(provider === undefined
            ? []
            : [{ Name: 'identities', Value: JSON.stringify([{ providerName: provider }]) }]),
        ],
      },
    ],
  })
  return users.find('s')
}

it('DEC-191 separates the groups of an identity provider from those of the pool', async () => {
  expect(await find('Okta', 'EXTERNAL_PROVIDER')).toMatchObject({
    sign_in: 'Okta',
    groups: ['editors'],
    provider_groups: ['staff', 'admins'],
  })
})

it.each([
  ['of Google', 'Google', 'EXTERNAL_PROVIDER'],
  ['of a provider that was removed', 'Removed', 'EXTERNAL_PROVIDER'],
  ['with a password', undefined, 'CONFIRMED'],
] as const)('DEC-191 ignores the groups attribute of an account %s', async (_, provider, status) => {
  expect(await find(provider, status)).not.toHaveProperty('provider_groups')
})

it('shows the name of an account as one line that turns no direction around', async () => {
  const Attributes = [{ Name: 'name', Value: `  Ann\u202e\n\nAdministrator\u200b${'x'.repeat(200)}` }]
  cognito.on(ListUsersCommand).resolves({ Users: [{ Username: 'ann', Attributes }] })
  expect((await users.find('s')).name).toBe(`Ann Administrator${'x'.repeat(63)}`)
})

it('signs an account out both when it is disabled and when it is enabled, so that no sign-in in between survives', async () => {
  const calls: string[] = []
  cognito.on(AdminDisableUserCommand).callsFake(async () => calls.push('disable'))
  cognito.on(AdminEnableUserCommand).callsFake(async () => calls.push('enable'))
  cognito.on(AdminUserGlobalSignOutCommand).callsFake(async () => calls.push('sign out'))
  await users.disable('ann')
  await users.enable('ann')
  expect(calls).toEqual(['sign out', 'disable', 'enable', 'sign out'])
})

it('reads the next page of accounts while one is used, and its failure when its turn comes', async () => {
  cognito
    .on(ListUsersCommand)
    .resolvesOnce({ Users: [], PaginationToken: 'next' })
    .rejects(Object.assign(new Error('slow down'), { name: 'TooManyRequestsException' }))
  const pages = users.listAll()
  expect(await pages.next()).toEqual({ done: false, value: [] })
  expect(cognito.commandCalls(ListUsersCommand)).toHaveLength(2)
  await expect(pages.next()).rejects.toMatchObject({ status: 503 })
})

it('lists the members of a group page by page, also of a page without accounts', async () => {
  const member = (sub: string) => ({ Username: sub, Attributes: [{ Name: 'sub', Value: sub }] })
  cognito
    .on(ListUsersInGroupCommand)
    .resolvesOnce({ Users: [member('a'), member('b')], NextToken: 'second' })
    .resolvesOnce({ NextToken: 'third' })
    .resolvesOnce({ Users: [member('c')] })
  const pages: string[][] = []
  for await (const page of users.listMembers('staff')) pages.push(page)
  expect(pages).toEqual([['a', 'b'], [], ['c']])
  expect(
    cognito.commandCalls(ListUsersInGroupCommand).map(({ args: [{ input }] }) => input.NextToken),
  ).toEqual([undefined, 'second', 'third'])
})
