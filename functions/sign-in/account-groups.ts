import type { UserType } from '@aws-sdk/client-cognito-identity-provider'
import type { poolGroups } from '../platform/auth/pool-groups.ts'
import { toTriggerAttributes, type providerAccounts } from './provider-accounts.ts'

export interface AccountGroupsDeps {
  accounts: Pick<ReturnType<typeof poolGroups>, 'listGroups'>
  providers: Pick<ReturnType<typeof providerAccounts>, 'findGroups'>
  groupLimits: { listNames: (asked: readonly string[]) => Promise<ReadonlySet<string>> }
}

/**
 * The groups that the next token of an account would name: those of the user pool, and those that its provider names. A token may
 * have no room for all of them.
 * @throws AccountNotFound, UserPoolUnavailable
 */
export async function findAccountGroups(
  { accounts, providers, groupLimits }: AccountGroupsDeps,
  account: Pick<UserType, 'UserStatus' | 'Attributes'> & { Username: string },
): Promise<string[]> {
  const [poolGroups, providerGroups] = await Promise.all([
    accounts.listGroups(account.Username),
    providers.findGroups(toTriggerAttributes(account), (named) => groupLimits.listNames(named)),
  ])
  return [...new Set([...poolGroups, ...providerGroups])]
}
