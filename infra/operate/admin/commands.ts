import { isDeepStrictEqual } from 'node:util'
import { CreateGroupCommand, GroupExistsException } from '@aws-sdk/client-cognito-identity-provider'
import type { AuditEntry, GroupChange, GroupLimits } from '#shared/contracts/admin.ts'
import { parseGroupNames } from '#shared/group-names.ts'
import { adminGroup } from '#shared/user-pool.ts'
import { resetFactor } from '../../../functions/mfa/change-factor.ts'
import type { DirectoryUser } from '../../../functions/admin/user-directory.ts'
import { OperatorError } from '../../aws/operator-error.ts'
import type { Deployment } from '../stage.ts'
import { userHash } from '../../../functions/platform/telemetry/logger.ts'
import { hideAddress } from './hide-address.ts'
import { operator, type OperatorAdministration } from './open-administration.ts'

/** The typed options of `npm run admin`. */
export interface AdminOptions {
  readonly email?: string | undefined
  readonly id?: string | undefined
  readonly query?: string | undefined
  /** comma-separated names */
  readonly set?: string | undefined
}

interface CommandInput {
  readonly admin: OperatorAdministration
  readonly options: AdminOptions
}

/** Runs the command and returns its output. @throws OperatorError, AppError */
type Command = (input: CommandInput) => Promise<string>

/** The commands of `npm run admin`. */
export const commands: Readonly<Record<string, Command>> = {
  async users({ admin, options: { query = '' } }) {
    const lines: string[] = []
    for await (const { users } of listPages((cursor) => admin.users.list(query, cursor)))
      lines.push(...users.map(formatUser))
    return lines.join('\n') || 'There are no users.'
  },

  async show(input) {
    const { id } = await findUser(input)
    return JSON.stringify(await input.admin.readUser(id), null, 2)
  },

  disable: onUser('cannot sign in any more', (admin, id) => admin.disableUser(operator, id)),
  enable: onUser('may sign in again', (admin, id) => admin.enableUser(operator, id)),
  'sign-out': onUser('is signed out everywhere', (admin, id) => admin.signOutUser(operator, id)),

  async 'reset-two-factor'(input) {
    const { id: sub, username, email, sign_in } = await findUser(input)
    if (sign_in !== 'password')
      throw new OperatorError(`${email} signs in with ${sign_in}, which handles their second factor.`)
    const { log, cognito, factors } = input.admin
    await log.record(
      { actor: operator, action: 'user.two_factor_reset', target: email, details: { user: sub } },
      () => resetFactor({ cognito, factors }, { sub, username }),
    )
    return `${email} signs in without a second factor from now on, and may set a new one up.`
  },

  async groups(input) {
    const { admin, options } = input
    if (options.email === undefined && options.id === undefined) {
      if (options.set !== undefined) throw new OperatorError('Say whose groups: --email ann@example.org')
      const found = await admin.groups.list()
      return (
        found
          .map(({ name, members, limits }) => `${name}  ${members ?? 'many'}  ${JSON.stringify(limits)}`)
          .join('\n') || 'There are no groups.'
      )
    }
    const user = await findUser(input)
    if (options.set === undefined) return formatUser(user)
    const names = parseGroupNames(options.set)
    return changeGroups(input, user, {
      add: [...new Set(names)].filter((name) => !user.groups.includes(name)),
      remove: user.groups.filter((name) => !names.includes(name)),
    })
  },

  'grant-admin': grantAdmin,

  async 'revoke-admin'(input) {
    const user = await findUser(input)
    return changeGroups(input, user, { add: [], remove: [adminGroup] })
  },

  async 'hide-address'({ admin, options: { email, id } }) {
    if (email === undefined || id === undefined)
      throw new OperatorError(
        'Say whose address: --email ann@example.org --id <their id, which the entries have>',
      )
    if ((await admin.users.findByEmail(email)).length > 0)
      throw new OperatorError(`${email} has an account. Only the address of an erased person is hidden.`)
    const changed = await hideAddress(admin.table, { email, sub: id }, Date.now())
    return `${changed} entries name ${userHash(id)} instead.`
  },

  async audit({ admin }) {
    const lines: string[] = []
    for await (const { entries } of listPages((cursor) => admin.entries.list(cursor, Date.now())))
      lines.push(...entries.map(formatEntry))
    return lines.join('\n') || 'The log is empty.'
  },
}

async function* listPages<Page extends { next_cursor: string | null }>(
  load: (cursor: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  let cursor: string | null | undefined
  do {
    const page = await load(cursor ?? undefined)
    yield page
    cursor = page.next_cursor
  } while (cursor !== null)
}

function onUser(
  outcome: string,
  act: (admin: OperatorAdministration, id: string) => Promise<unknown>,
): Command {
  return async (input) => {
    const { id, email } = await findUser(input)
    await act(input.admin, id)
    return `${email} ${outcome}.`
  }
}

/** @throws OperatorError unless exactly one account is named */
async function findUser({ admin, options: { email, id } }: CommandInput): Promise<DirectoryUser> {
  if (id !== undefined) {
    if (!/^[\w-]{1,64}$/.test(id)) throw new OperatorError(`--id ${id} is not the id of a user.`)
    return admin.users.find(id)
  }
  if (email === undefined) throw new OperatorError('Say whose account: --email ann@example.org')
  const found = await admin.users.findByEmail(email)
  const confirmed = found.filter(({ status }) => status !== 'unconfirmed')
  const [user, other] = confirmed.length > 0 ? confirmed : found
  if (!user) throw new OperatorError(`Nobody has an account with ${email}.`)
  if (other) {
    const ids = found.map((one) => `--id ${one.id} (${one.sign_in})`).join(', ')
    throw new OperatorError(`${email} has several accounts. Name one: ${ids}`)
  }
  return admin.users.find(user.id)
}

async function changeGroups(
  { admin }: CommandInput,
  user: DirectoryUser,
  change: GroupChange,
): Promise<string> {
  const { limits: before } = await admin.readUser(user.id)
  const { email, groups, limits: after } = await admin.changeGroups(operator, user.id, change)
  return [
    `${email} is in ${groups.length > 0 ? groups.join(', ') : 'no group'}.`,
    ...describeMissing('Takes away these limits', before, after),
    ...describeMissing('Adds these limits', after, before),
  ].join('\n')
}

/** Those limits that others have not, in a line. */
function describeMissing(label: string, limits: GroupLimits, others: GroupLimits): string[] {
  const missing = Object.entries(limits).filter(
    ([name, value]) => !isDeepStrictEqual(value, others[name as keyof GroupLimits]),
  )
  return missing.length === 0 ? [] : [`${label}: ${JSON.stringify(Object.fromEntries(missing))}`]
}

/** @throws OperatorError unless exactly one account is named */
export async function grantAdmin(input: CommandInput): Promise<string> {
  const user = await findUser(input)
  await createAdminGroup(input.admin.deployment)
  return changeGroups(input, user, { add: [adminGroup], remove: [] })
}

/** Creates the group of administrators, unless it exists. */
export async function createAdminGroup({ pools, userPoolId: UserPoolId }: Deployment): Promise<void> {
  try {
    await pools.send(new CreateGroupCommand({ UserPoolId, GroupName: adminGroup }))
  } catch (error) {
    if (!(error instanceof GroupExistsException)) throw error
  }
}

const formatUser = ({ id, email, status, sign_in, groups, two_factor }: DirectoryUser): string =>
  [
    email,
    status,
    sign_in,
    groups.join(',') || '-',
    two_factor ? 'two-factor' : '-',
    id,
    // the name in the logs
    userHash(id),
  ].join('  ')

function formatEntry({ at, actor, action, target, details }: AuditEntry): string {
  const who = 'email' in actor ? actor.email : 'command'
  return [at, who, action, target, ...(details ? [JSON.stringify(details)] : [])].join('  ')
}
