import type { PauseReason } from '#shared/contracts/schedules.ts'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import type { User } from '../../platform/auth/access-token.ts'
import type { poolAccounts } from '../../platform/auth/pool-accounts.ts'
import type { poolGroups } from '../../platform/auth/pool-groups.ts'
import { hasSignedOutSince, type RevocationMark } from '../../platform/auth/token-revocation.ts'
import { AccountNotFound } from '../../platform/errors.ts'
import { findAccountGroups } from '../../sign-in/account-groups.ts'
import { isFederated, toTriggerAttributes, type providerAccounts } from '../../sign-in/provider-accounts.ts'
import type { ScheduleRow } from '../schedule-row.ts'

export interface PrincipalDeps {
  accounts: Pick<ReturnType<typeof poolAccounts>, 'find' | 'hasSecondFactor'> &
    Pick<ReturnType<typeof poolGroups>, 'listGroups'>
  providers: Pick<ReturnType<typeof providerAccounts>, 'findGroups' | 'findRefusal'>
  /** whether accounts with a password may sign in */
  hasPasswords: boolean
  groupLimits: {
    find: (user: Pick<User, 'groups'>) => Promise<GroupLimits>
    listNames: (asked: readonly string[]) => Promise<ReadonlySet<string>>
  }
  loadMark: (sub: string) => Promise<RevocationMark | undefined>
  now: () => number
}

/** The user of a run, with the claims that a request has from its token. */
export type Principal = Pick<User, 'sub' | 'issuedAt' | 'groups'>

/**
 * Builds the principal of a run of the account as it is now, without a token, by the same rules as for one.
 * @returns why nothing may run for the account, which pauses the schedule
 * @throws UserPoolUnavailable, errors of the table
 */
export async function loadPrincipal(
  { accounts, providers, hasPasswords, groupLimits, loadMark, now }: PrincipalDeps,
  sub: string,
  { approved_at, handed }: Pick<ScheduleRow, 'approved_at' | 'handed'>,
): Promise<Principal | PauseReason> {
  const issuedAt = Math.floor(now() / 1_000)
  const [account, mark] = await Promise.all([
    accounts.find(sub).catch((error: unknown) => {
      if (error instanceof AccountNotFound) return undefined
      throw error
    }),
    loadMark(sub),
  ])
  if (!account || account.Enabled === false || mark?.reason === 'erased') return 'account'
  // a run that the owner starts is approved by that
  const approvedAt = handed?.by_hand ? handed.at : approved_at
  if (hasSignedOutSince(mark, approvedAt)) return 'signed_out'
  const attributes = toTriggerAttributes(account)
  // accounts that may no longer sign in
  const isRefused = isFederated(attributes)
    ? providers.findRefusal(attributes) !== undefined
    : !hasPasswords || account.UserStatus !== 'CONFIRMED'
  if (isRefused) return 'account'
  const groups = await findAccountGroups({ accounts, providers, groupLimits }, account)
  const limits = await groupLimits.find({ groups })
  // the second factor of a federated account is its provider's
  const needsFactor = limits.require_two_factor === true && !isFederated(attributes)
  if (needsFactor && !(await accounts.hasSecondFactor(account.Username))) return 'two_factor'
  return { sub, issuedAt, groups }
}
