import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminDisableUserCommand,
  AdminSetUserPasswordCommand,
  type CognitoIdentityProviderClient,
  CreateGroupCommand,
  GroupExistsException,
  paginateListUsers,
  ResourceNotFoundException,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider'
import { readAttribute } from '../../../functions/platform/auth/pool-accounts.ts'
import { foldEmail } from '#shared/user-pool.ts'
import { newPassword } from '../sign-in.ts'
import type { BackupStore } from './backup-store.ts'
import {
  groupLine,
  hashPerson,
  listParts,
  type Manifest,
  readPart,
  userLine,
  type UserLine,
} from './manifest.ts'

interface Pool {
  readonly client: CognitoIdentityProviderClient
  readonly id: string
}

/** What becomes of an account of the backup. */
export interface AccountPlan {
  readonly user: UserLine
  /**
   * `create`: there is none yet, or its creation was interrupted; `joined`: an identity provider has created it; `found`: it was there
   * before; `restored`: an earlier run of the backup gave it everything; `erased`; `unconfirmed`: its address was never confirmed, so it
   * has no data; `provider`: an identity provider creates it at the next sign-in; `taken`: somebody has begun to sign up with the address
   */
  readonly outcome:
    | 'create'
    | 'joined'
    | 'found'
    | 'restored'
    | 'erased'
    | 'unconfirmed'
    | 'provider'
    | 'taken'
  /** of the account that is there */
  readonly found?: UserType
}

/** The accounts of a pool, by what a backup knows of them. One entry for each account. */
export async function listPoolAccounts({ client, id }: Pool) {
  const byEmail = new Map<string, UserType>()
  const byUsername = new Map<string, UserType>()
  const subs = new Set<string>()
  for await (const { Users = [] } of paginateListUsers({ client }, { UserPoolId: id }))
    for (const user of Users) {
      byUsername.set(user.Username ?? '', user)
      subs.add(readAttribute(user.Attributes, 'sub'))
      if (readAttribute(user.Attributes, 'identities') === '')
        byEmail.set(foldEmail(readAttribute(user.Attributes, 'email')), user)
    }
  return { byEmail, byUsername, subs }
}
type PoolAccounts = Awaited<ReturnType<typeof listPoolAccounts>>

/**
 * Decides what a restoration does with an account of a backup, by the accounts that the user pool has.
 * @param restored hashes of those who have got everything (`hashPerson`): again, it would bring back what they have deleted since
 */
export function planAccount(
  user: UserLine,
  { forgotten }: Pick<Manifest, 'forgotten'>,
  { byEmail, byUsername }: PoolAccounts,
  restored: ReadonlySet<string>,
): AccountPlan {
  if (forgotten.includes(hashPerson(user.sub))) return { user, outcome: 'erased' }
  const isRestored = restored.has(hashPerson(user.sub))
  if ((user.attributes['identities'] ?? '') !== '') {
    const found = byUsername.get(user.username)
    if (isRestored) return { user, outcome: 'restored', ...(found && { found }) }
    return found ? { user, outcome: 'joined', found } : { user, outcome: 'provider' }
  }
  if (user.status === 'UNCONFIRMED') return { user, outcome: 'unconfirmed' }
  const found = byEmail.get(foldEmail(user.attributes['email'] ?? ''))
  if (isRestored) return { user, outcome: 'restored', ...(found && { found }) }
  if (!found) return { user, outcome: 'create' }
  if (found.UserStatus === 'FORCE_CHANGE_PASSWORD') return { user, outcome: 'create', found }
  // the address is not theirs before they have confirmed it
  const isTheirs =
    found.UserStatus !== 'UNCONFIRMED' && readAttribute(found.Attributes, 'email_verified') === 'true'
  return { user, outcome: isTheirs ? 'found' : 'taken', found }
}

/** Reads the accounts of a backup, a part at a time. */
export async function* readUsers(store: BackupStore, manifest: Manifest): AsyncGenerator<UserLine> {
  for (const part of listParts(manifest, 'users'))
    for (const line of await readPart(store, part)) yield userLine.parse(line)
}

/** Creates the groups of a backup that are missing. */
export async function restoreGroups(
  { client, id: UserPoolId }: Pool,
  store: BackupStore,
  manifest: Manifest,
): Promise<void> {
  for (const part of listParts(manifest, 'groups'))
    for (const line of await readPart(store, part)) {
      const { name, description, precedence } = groupLine.parse(line)
      await client
        .send(
          new CreateGroupCommand({
            UserPoolId,
            GroupName: name,
            Description: description,
            Precedence: precedence,
          }),
        )
        .catch((error: unknown) => {
          if (!(error instanceof GroupExistsException)) throw error
        })
    }
}

/** Attributes that a pool sets itself. */
const ownAttributes = new Set(['sub', 'identities'])

/** Whether a restoration puts an account into its groups, and disables it if it was: one that was there before stays as it is. */
export const isMade = ({ outcome }: AccountPlan): boolean => outcome === 'create' || outcome === 'joined'

/**
 * Creates an account, or finishes one whose creation was interrupted: with a random password that nobody knows, so that its user sets
 * one with 'Forgot password'; in those of its groups that are there; disabled if it was. No mail is sent. Can be repeated.
 * @returns the new id; undefined for an account that stays away
 */
export async function restoreAccount(
  { client, id: UserPoolId }: Pool,
  plan: AccountPlan,
): Promise<string | undefined> {
  const { user, found } = plan
  if (!isMade(plan))
    return found && plan.outcome !== 'taken' ? readAttribute(found.Attributes, 'sub') : undefined
  const created =
    found ??
    (
      await client.send(
        new AdminCreateUserCommand({
          UserPoolId,
          Username: user.attributes['email'],
          MessageAction: 'SUPPRESS',
          UserAttributes: Object.entries(user.attributes)
            .filter(([name]) => !ownAttributes.has(name) && !name.startsWith('cognito:'))
            .map(([Name, Value]) => ({ Name, Value })),
        }),
      )
    ).User
  const { Username = '', UserStatus, Attributes, Enabled } = created ?? {}
  for (const GroupName of user.groups)
    await client
      .send(new AdminAddUserToGroupCommand({ UserPoolId, Username, GroupName }))
      .catch((error: unknown) => {
        // deleted since an earlier run
        if (!(error instanceof ResourceNotFoundException)) throw error
      })
  if (!user.enabled && Enabled !== false)
    await client.send(new AdminDisableUserCommand({ UserPoolId, Username }))
  // last: what has this status has not been finished
  if (UserStatus === 'FORCE_CHANGE_PASSWORD')
    await client.send(
      new AdminSetUserPasswordCommand({ UserPoolId, Username, Password: newPassword(), Permanent: true }),
    )
  return readAttribute(Attributes, 'sub')
}
