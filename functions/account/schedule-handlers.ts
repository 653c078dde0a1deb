import {
  ListUsersCommand,
  type CognitoIdentityProviderClient,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider'
import type { PersonSchedules } from '#shared/contracts/admin-schedules.ts'
import { nextTime } from '#shared/schedule-times.ts'
import { assistantReader } from '../assistants/assistant-reader.ts'
import { auditLog } from '../platform/audit-log.ts'
import type { User } from '../platform/auth/access-token.ts'
import { loadMark } from '../platform/auth/token-revocation.ts'
import { poolAccounts, readAttribute, throwPoolError } from '../platform/auth/pool-accounts.ts'
import { poolGroups } from '../platform/auth/pool-groups.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { AccountNotFound } from '../platform/errors.ts'
import type { groupLimitsReader } from '../platform/group-limits.ts'
import type { ValidRequest } from '../platform/http/api-function.ts'
import type { DueIndex } from '../schedules/due-index.ts'
import { pauseRefused, type Standing } from '../schedules/find-pause.ts'
import { scheduleRepository } from '../schedules/schedule-repository.ts'
import type { ScheduleRow } from '../schedules/schedule-row.ts'
import { findAccountGroups, type AccountGroupsDeps } from '../sign-in/account-groups.ts'

interface Deps {
  table: Table
  index: Pick<DueIndex, 'put'>
  userPoolId: string
  client: CognitoIdentityProviderClient
  providers: AccountGroupsDeps['providers']
  groupLimits: Pick<ReturnType<typeof groupLimitsReader>, 'find' | 'listNames'>
  now: () => number
}

/** As the user pool lists it. */
type Account = UserType & { Username: string }

/** The limit of the pool for one page. */
const accountsPerPage = 60

/** What administrators see of people's schedules, how many and how they went, and how they pause and resume them. */
export const adminScheduleHandlers = ({
  table,
  index,
  userPoolId: UserPoolId,
  client,
  providers,
  groupLimits,
  now,
}: Deps) => {
  const schedules = scheduleRepository(table)
  const assistants = assistantReader(table)
  const accounts = poolAccounts(UserPoolId, client)
  const log = auditLog(table)

  const groupsDeps = { accounts: poolGroups(UserPoolId, client), providers, groupLimits }

  async function loadStanding(sub: string, account: Account): Promise<Standing> {
    const [groups, mark] = await Promise.all([
      findAccountGroups(groupsDeps, account).catch((error: unknown) => {
        // erased since it was listed
        if (error instanceof AccountNotFound) return []
        throw error
      }),
      loadMark(table, sub),
    ])
    const limits = await groupLimits.find({ groups })
    return { sub, groups, limits, mark, isDisabled: account.Enabled === false }
  }

  async function summarise(account: Account): Promise<PersonSchedules> {
    const id = readAttribute(account.Attributes, 'sub')
    const email = readAttribute(account.Attributes, 'email')
    const [stored, isHeld] = await Promise.all([schedules.list(id), schedules.isHeld(id)])
    // most people have none
    const standing = stored.length > 0 ? await loadStanding(id, account) : undefined
    const rows = standing
      ? await Promise.all(stored.map((row) => pauseRefused(assistants, standing, row)))
      : []
    const paused = rows.filter(({ paused_because }) => paused_because !== undefined)
    const [newest] = rows
      .flatMap(({ last_run }) => (last_run ? [last_run] : []))
      .toSorted((a, b) => b.at - a.at)
    return {
      id,
      email,
      count: rows.length,
      paused: paused.length,
      paused_by_administrator: paused.filter(({ paused_because }) => paused_because === 'administrator')
        .length,
      ...(isHeld && { held: true }),
      ...(newest && { last_run: { at: new Date(newest.at).toISOString(), status: newest.status } }),
    }
  }

  /** Changes all schedules of a person, also those to come, and writes the entry of the log before. @throws AccountNotFound */
  async function changeAll(
    user: User,
    id: string,
    action: 'schedules.paused' | 'schedules.resumed',
    change: (row: ScheduleRow) => Promise<unknown>,
  ): Promise<{ person: PersonSchedules }> {
    const [account, actor] = await Promise.all([accounts.find(id), accounts.findEmail(user.username)])
    const target = readAttribute(account.Attributes, 'email')
    const details = { user: id }
    await log.record({ actor: { id: user.sub, email: actor }, action, target, details }, async () => {
      await schedules.setHeld(id, action === 'schedules.paused')
      for (const row of await schedules.list(id)) await change(row)
    })
    return { person: await summarise(account) }
  }

  return {
    'admin.schedules': async ({ query: { cursor } }: ValidRequest<'admin.schedules'>) => {
      const page = await client
        .send(new ListUsersCommand({ UserPoolId, Limit: accountsPerPage, PaginationToken: cursor }))
        .catch(throwPoolError)
      const people = await Promise.all(
        (page.Users ?? []).map(({ Username = '', ...account }) => summarise({ ...account, Username })),
      )
      return {
        people: people.filter(({ count, held }) => count > 0 || held),
        next_cursor: page.PaginationToken ?? null,
      }
    },

    'admin.pauseSchedules': ({ user, params }: ValidRequest<'admin.pauseSchedules'>) =>
      changeAll(user, params.userId, 'schedules.paused', ({ id }) => schedules.hold(params.userId, id)),

    /** What something else had paused before stays so. */
    'admin.resumeSchedules': ({ user, params: { userId: sub } }: ValidRequest<'admin.resumeSchedules'>) =>
      changeAll(user, sub, 'schedules.resumed', ({ id }) =>
        schedules.release(sub, id, async ({ rule, time_zone }) => {
          const at = nextTime(rule, time_zone, now())
          if (at !== undefined) await index.put({ sub, id, at })
          return at
        }),
      ),
  }
}
