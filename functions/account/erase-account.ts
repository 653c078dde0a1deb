import type { User } from '../platform/auth/access-token.ts'
import type { TokenRevoker } from '../platform/auth/token-revocation.ts'
import { requireRecentSignIn } from '../platform/auth/recent-sign-in.ts'
import { erasureKey, type Erasure, type ErasureRepository } from './erasure-repository.ts'
import type { UserDataRepository } from './user-data-repository.ts'
import type { UserPool } from './user-pool.ts'

/** Longer than the writer of a reply needs to notice that its run is gone (it polls each second). */
const writerStopMs = 2_500

type Cleanup = (sub: string, isTimeUp: () => boolean) => Promise<boolean>

export interface EraseDeps {
  userData: UserDataRepository
  erasures: ErasureRepository
  revocation: TokenRevoker
  pool: Pick<UserPool, 'deleteUser'>
  /** throws unless the account has no second factor or the user has passed a step-up */
  requireStepUp: () => Promise<void>
  /** prevents new sign-ins while an administrator erases the account; can be repeated */
  disableUser?: () => Promise<void>
  /**
   * Delete what other stores and other partitions hold of the user, before the rows that name it; each can be repeated.
   * @returns false when the time was over first
   */
  externalCleanups: readonly Cleanup[]
  /** Deletes every object of the user, whether a row names it or not. @returns false when the time was over first */
  deleteObjects: Cleanup
  sleep: (ms: number) => Promise<unknown>
}

/** Whose account is erased. */
interface EraseAccountInput extends Pick<User, 'sub' | 'username'> {
  /** of the user, or of the administrator who erases the account */
  callerSignedInAt: number
}

/**
 * Erases an account. Every step can be repeated, so calling again finishes an interrupted erasure. Order:
 * 1. all tokens are revoked
 * 2. runs, so that their writers stop
 * 3. external grants, secrets and objects
 * 4. all rows of the user, and rate counters
 * 5. objects once more, then the account in the user pool
 * 6. tokens once more, and rows that earlier requests wrote meanwhile
 * @param isTimeUp whether the time of this call is used up
 * @throws SignInTooOld when the caller's last sign-in is more than 15 minutes ago; what `requireStepUp` throws
 * @returns `held`: the counts at the first request; `done`: false while there is more to do, true once the rows are deleted and the
 * bucket lists nothing
 */
export async function eraseAccount(
  {
    userData,
    erasures,
    revocation,
    pool,
    requireStepUp,
    disableUser,
    externalCleanups,
    deleteObjects,
    sleep,
  }: EraseDeps,
  { sub, username, callerSignedInAt }: EraseAccountInput,
  isTimeUp: () => boolean,
): Promise<Erasure & { done: boolean }> {
  const nowMs = Date.now()
  // a started erasure may always be finished: the user cannot sign in again
  if (!(await revocation.isErasing(sub, nowMs))) {
    requireRecentSignIn({ signedInAt: callerSignedInAt }, nowMs)
    await requireStepUp()
  }
  await disableUser?.()
  await revocation.revoke(sub, 'erased', Date.now())
  const erasure = await erasures.begin(sub, await userData.count(sub), nowMs)

  if (await userData.deleteRuns(sub)) await sleep(writerStopMs)
  for (const cleanUp of [...externalCleanups, deleteObjects])
    if (!(await cleanUp(sub, isTimeUp))) return { ...erasure, done: false }
  while (await userData.deleteAllRows(sub, erasureKey, isTimeUp))
    if (isTimeUp()) return { ...erasure, done: false }
  await userData.deleteCounters(sub)
  // objects that were written since, or that an earlier error left without a row
  if (!(await deleteObjects(sub, isTimeUp))) return { ...erasure, done: false }
  await pool.deleteUser(username)
  // tokens that were issued since the first mark
  await revocation.revoke(sub, 'erased', Date.now())
  await userData.deleteAllRows(sub, erasureKey, () => false)
  await erasures.end(sub)
  return { ...erasure, done: true }
}
