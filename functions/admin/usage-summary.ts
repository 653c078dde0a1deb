import type { AdminUsage, AdminUserDetails } from '#shared/contracts/admin.ts'
import type { UsageTotals } from '#shared/contracts/usage.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import {
  dailyUsagePrefix,
  parseUsageDay,
  storedCount,
  sumScheduled,
  sumUsage,
} from '../platform/dynamodb/usage-counters.ts'
import { startAccountsDeadline } from './accounts-deadline.ts'
import type { GroupDirectory } from './group-directory.ts'
import type { UserDirectory } from './user-directory.ts'

const dayMs = 86_400_000

type Row = Record<string, unknown>
type PeriodUsage = UsageTotals & { replies: number }

const toDay = (row: Row) => parseUsageDay(String(row['SK']))
const toMonth = (day: number) => new Date(day * dayMs).toISOString().slice(0, 7)

const sumRows = (rows: readonly Row[]): PeriodUsage => ({
  replies: rows.reduce((sum, { replies }) => sum + storedCount.parse(replies), 0),
  ...sumUsage(rows),
  ...sumScheduled(rows),
})

const isUsed = ({ replies, images, inputTokens, outputTokens }: PeriodUsage) =>
  replies + images + inputTokens + outputTokens > 0

/** What replies have used, by user and by group; days and months in UTC. Never what they were about. */
export const usageSummary = (table: Table) => {
  const loadDays = (sub: string) => queryAll(table, { partition: `RATE#${sub}`, prefix: dailyUsagePrefix })

  return {
    async readUser(sub: string, nowMs: number): Promise<AdminUserDetails['usage']> {
      const today = Math.floor(nowMs / dayMs)
      const rows = await loadDays(sub)
      return {
        today: sumRows(rows.filter((row) => toDay(row) === today)),
        month: sumRows(rows.filter((row) => toMonth(toDay(row)) === toMonth(today))),
      }
    },

    /** Users who have used nothing are left out. One query for each account; the members of groups are read meanwhile. @throws TooManyAccounts */
    async readMonth(
      month: string,
      userDirectory: Pick<UserDirectory, 'listAll' | 'listMembers'>,
      groups: Pick<GroupDirectory, 'listNames'>,
    ): Promise<AdminUsage> {
      const requireTime = startAccountsDeadline()
      const rowsByUser = new Map<string, Row[]>()
      const used: Omit<AdminUsage['users'][number], 'groups'>[] = []
      const named: { id: string; name: string }[] = []
      async function readUsers() {
        for await (const page of userDirectory.listAll()) {
          requireTime()
          await Promise.all(
            page.map(async ({ id, email, provider_groups: providerGroups = [] }) => {
              named.push(...providerGroups.map((name) => ({ id, name })))
              const rows = (await loadDays(id)).filter((row) => toMonth(toDay(row)) === month)
              const sum = sumRows(rows)
              if (!isUsed(sum)) return
              rowsByUser.set(id, rows)
              used.push({ id, email, ...sum })
            }),
          )
        }
      }
      const [members] = await Promise.all([
        groups.listNames().then((names) => loadMembers(userDirectory, names, requireTime)),
        readUsers(),
      ])
      for (const { id, name } of named) members.get(name)?.add(id)
      const findGroups = (id: string) => [...members].flatMap(([name, ids]) => (ids.has(id) ? [name] : []))
      return {
        month,
        users: used
          .map((user) => ({ ...user, groups: findGroups(user.id) }))
          .toSorted((one, other) => countTokens(other) - countTokens(one)),
        groups: [...members].map(([name, ids]) => ({
          name,
          users: ids.size,
          ...sumRows([...ids].flatMap((id) => rowsByUser.get(id) ?? [])),
        })),
        total: sumRows([...rowsByUser.values()].flat()),
      }
    },
  }
}

const countTokens = ({ inputTokens, outputTokens }: UsageTotals) => inputTokens + outputTokens

/** The user pool answers some 30 such requests a second: as many as two groups and the list of accounts ask for. */
const groupsAtOnce = 2

async function loadMembers(
  users: Pick<UserDirectory, 'listMembers'>,
  names: readonly string[],
  requireTime: () => void,
): Promise<Map<string, Set<string>>> {
  const members = new Map(names.map((name) => [name, new Set<string>()]))
  const waiting = [...members]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, ids] = next
      for await (const page of users.listMembers(name)) {
        requireTime()
        for (const id of page) ids.add(id)
      }
    }
  }
  await Promise.all(Array.from({ length: groupsAtOnce }, work))
  return members
}
