import type { User } from '../platform/auth/access-token.ts'
import type { TokenRevoker } from '../platform/auth/token-revocation.ts'
import { SignInAgain } from './errors.ts'
import { erasureKey, type Erasure, type ErasureRepository } from './erasure-repository.ts'
import type { HeldRepository } from './user-data-repository.ts'
import type { UserPool } from './user-pool.ts'

/** How long a sign-in counts as the person's own presence. */
const recentSeconds = 900
/** Longer than the writer of a reply takes to find that its run is gone (it looks each second). */
const writersNoticeMs = 2_500

type Cleanup = (sub: string, isOver: () => boolean) => Promise<boolean>

export interface EraseMeans {
  held: HeldRepository
  erasures: ErasureRepository
  revocation: TokenRevoker
  pool: Pick<UserPool, 'deleteUser'>
  /** throws unless the person has shown the second factor that the account has, if it has one */
  prove: () => Promise<void>
  /**
   * Delete what other stores and other partitions hold of the user, before the rows that name it; each can be repeated.
   * @returns false when the time was over first
   */
  externalCleanups: readonly Cleanup[]
  /** Deletes every object of the user, whether a row names it or not. @returns false when the time was over first */
  deleteObjects: Cleanup
  sleep: (ms: number) => Promise<unknown>
}

/**
 * Erases an account: no token made before passes any more; replies being written lose their runs, and their writers stop; then
 * grants, secrets and objects, every row of the user, the counters of their calls, the objects once more, the account at the user
 * pool, and once more whatever a request wrote that had passed the door before. Every step can be repeated, so an erasure that was
 * cut is finished by asking again.
 * @param isOver whether the time of this call is used up
 * @throws SignInAgain when the last sign-in is more than 15 minutes ago; what `prove` throws
 * @returns what was held when it was first asked for; `done` false when there is more to do, true once the rows are gone and the
 * bucket lists nothing
 */
export async function eraseAccount(
  { held, erasures, revocation, pool, prove, externalCleanups, deleteObjects, sleep }: EraseMeans,
  { sub, username, signedInAt }: Pick<User, 'sub' | 'username' | 'signedInAt'>,
  isOver: () => boolean,
): Promise<Erasure & { done: boolean }> {
  const nowMs = Date.now()
  // who asked once may finish it, however long that takes: they cannot sign in again
  if (!(await revocation.isErasing(sub, nowMs))) {
    if (nowMs / 1000 - signedInAt > recentSeconds)
      throw new SignInAgain(`signed in ${Math.round(nowMs / 1000 - signedInAt)} s ago`)
    await prove()
  }
  await revocation.revoke(sub, 'erased', nowMs)
  const erasure = await erasures.begin(sub, await held.count(sub), nowMs)

  if (await held.removeRuns(sub)) await sleep(writersNoticeMs)
  for (const cleanUp of [...externalCleanups, deleteObjects])
    if (!(await cleanUp(sub, isOver))) return { ...erasure, done: false }
  while (await held.removeRows(sub, erasureKey, isOver)) if (isOver()) return { ...erasure, done: false }
  await held.removeBudgets(sub)
  // what was written meanwhile, and objects that an earlier fault left without a row
  if (!(await deleteObjects(sub, isOver))) return { ...erasure, done: false }
  await pool.deleteUser(username)
  await held.removeRows(sub, erasureKey, () => false)
  await erasures.end(sub)
  return { ...erasure, done: true }
}
