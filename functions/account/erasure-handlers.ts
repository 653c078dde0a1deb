import { sayAccount } from '#shared/sentences/account.ts'
import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import type { EraseResponse } from '#shared/contracts/account.ts'
import { foldEmail } from '#shared/user-pool.ts'
import type { AssistantRepository } from '../assistants/assistant-repository.ts'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'
import { deleteUserObjects } from '../files/delete-user-objects.ts'
import { deleteUserCredentials } from '../integrations/disconnect.ts'
import { attemptsRepository } from '../mfa/attempts-repository.ts'
import { cognitoAccount } from '../mfa/cognito-account.ts'
import { factorRepository } from '../mfa/factor-repository.ts'
import { requireStepUp } from '../mfa/step-up.ts'
import { auditLog } from '../platform/audit-log.ts'
import type { User } from '../platform/auth/access-token.ts'
import { removePushSubscriptions } from '../platform/auth/push-subscriptions.ts'
import { poolAccounts, readAttribute } from '../platform/auth/pool-accounts.ts'
import type { TokenRevoker } from '../platform/auth/token-revocation.ts'
import { wait } from '../platform/clock.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { AccountNotFound, BadRequest, OwnAccount } from '../platform/errors.ts'
import { userHash } from '../platform/telemetry/logger.ts'
import type { ValidRequest } from '../platform/http/api-function.ts'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import type { Sealer } from '../platform/secrets/seal.ts'
import { clearIndex, type DueIndex } from '../schedules/due-index.ts'
import { scheduleRepository } from '../schedules/schedule-repository.ts'
import { forgetEnded } from '../platform/auth/ended-additions.ts'
import { linkSuspension } from '../platform/auth/link-suspension.ts'
import { eraseAccount, type EraseDeps } from './erase-account.ts'
import { erasureRepository } from './erasure-repository.ts'
import { exportKey } from './store-export.ts'
import type { UserDataRepository } from './user-data-repository.ts'
import type { UserPool } from './user-pool.ts'

const dayMs = 86_400_000

interface ErasureDeps {
  table: Table
  /** how long the table's backups reach back */
  recoveryDays: number | undefined
  dueIndex: Pick<DueIndex, 'remove'>
  userPoolId: string
  cognitoClient: CognitoIdentityProviderClient
  pool: UserPool
  userData: UserDataRepository
  revocation: TokenRevoker
  stores: Pick<ConversationStores, 'shares'>
  assistants: Pick<AssistantRepository, 'listOwned' | 'withdraw'>
  objectStore: ObjectStore
  integrationDeps: Parameters<typeof deleteUserCredentials>[0]
  sealer: Sealer
  /** starts the clock of one call; the result tells whether its time is up, and the page then calls again */
  startDeadline: () => () => boolean
}

/** The routes that erase an account: its owner's own, and that of administrators. */
export const erasureHandlers = ({
  table,
  recoveryDays,
  dueIndex,
  userPoolId,
  cognitoClient,
  pool,
  userData,
  revocation,
  stores,
  assistants,
  objectStore,
  integrationDeps,
  sealer,
  startDeadline,
}: ErasureDeps) => {
  const accounts = poolAccounts(userPoolId, cognitoClient)
  const cognito = cognitoAccount(userPoolId, cognitoClient)
  const factors = factorRepository(table)
  const stepUpDeps = { factors, attempts: attemptsRepository(table), sealer }
  const erasures = erasureRepository(table)
  const schedules = scheduleRepository(table)
  const log = auditLog(table)
  /** data of a user outside their own rows, except files */
  const externalCleanups = [
    async (sub: string) => {
      await stores.shares.removeAll(sub)
      await linkSuspension(table).resume(sub)
      await forgetEnded(table, sub)
      return true
    },
    async (sub: string, isTimeUp: () => boolean) => {
      for (const { id, projectId } of await assistants.listOwned(sub)) {
        if (isTimeUp()) return false
        await assistants.withdraw({ id, publisher: sub, project_id: projectId }, 'publisher')
      }
      return true
    },
    // the index of what is due names its users
    async (sub: string) => {
      for (const row of await schedules.list(sub)) await clearIndex(dueIndex, sub, row)
      return true
    },
    async (sub: string) => {
      await factors.remove(sub)
      await removePushSubscriptions(table, sub)
      await objectStore.remove([exportKey(sub)])
      return true
    },
    (sub: string, isTimeUp: () => boolean) => deleteUserCredentials(integrationDeps, sub, isTimeUp),
  ]

  /** An account with a second factor needs a code or a recent sign-in, as for disabling the factor; one without passes. */
  async function requireStepUpIfEnrolled({ user, body }: ValidRequest<'account.erase'>): Promise<void> {
    // a factor that was disabled directly in Cognito still counts
    const hasFactor = (await factors.find(user.sub)) ?? (await cognito.findAccount(user.username)).hasFactor
    if (hasFactor) await requireStepUp(stepUpDeps, user, body)
  }

  /**
   * @param person whose account is deleted
   * @param caller who asked for it: the person, or an administrator
   * @param routeDeps what differs between the two
   */
  async function erase(
    person: Pick<User, 'sub' | 'username'>,
    caller: Pick<User, 'signedInAt'>,
    routeDeps: Pick<EraseDeps, 'requireStepUp' | 'disableUser'>,
  ): Promise<EraseResponse> {
    const deps = {
      userData,
      erasures,
      revocation,
      pool,
      ...routeDeps,
      externalCleanups,
      deleteObjects: (sub: string, isTimeUp: () => boolean) => deleteUserObjects(objectStore, sub, isTimeUp),
      sleep: wait,
    }
    const { done, held, asked_at } = await eraseAccount(
      deps,
      { sub: person.sub, username: person.username, callerSignedInAt: caller.signedInAt },
      startDeadline(),
    )
    const backups = recoveryDays !== undefined && {
      backups_end_at: new Date(Date.now() + recoveryDays * dayMs).toISOString(),
    }
    return { success: true as const, done, receipt: { held, asked_at, ...backups } }
  }

  return {
    'account.erase': (call: ValidRequest<'account.erase'>) =>
      erase(call.user, call.user, { requireStepUp: () => requireStepUpIfEnrolled(call) }),

    'admin.deleteUser': async ({ user, params: { userId: sub }, body }: ValidRequest<'admin.deleteUser'>) => {
      if (sub === user.sub) throw new OwnAccount('delete')
      const account = await accounts.find(sub).catch(async (error: unknown) => {
        // an earlier attempt failed after it had deleted the account
        if (error instanceof AccountNotFound && (await erasures.isUnfinished(sub))) return undefined
        throw error
      })
      const username = account?.Username ?? sub
      const target = account ? readAttribute(account.Attributes, 'email') : sub
      if (account && foldEmail(body.confirm) !== foldEmail(target))
        throw new BadRequest(sayAccount('bad_request.other_address'))
      const actor = { id: user.sub, email: await accounts.findEmail(user.username) }
      const aboutUser = { user: sub }
      const eraseUser = () =>
        erase({ sub, username }, user, {
          requireStepUp: () => Promise.resolve(),
          disableUser: () => pool.disableUser(username),
        })
      const response = (await revocation.isErasing(sub, Date.now()))
        ? await eraseUser()
        : await log.record({ actor, action: 'user.deletion_started', target, details: aboutUser }, eraseUser)
      const { backups_end_at, held } = response.receipt
      if (response.done) {
        const details = { ...aboutUser, ...(backups_end_at && { backups_end_at }), ...held }
        // nothing that is written after the erasure has the address
        await log.append({ actor, action: 'user.deleted', target: userHash(sub), details }, Date.now())
      }
      return response
    },
  }
}
