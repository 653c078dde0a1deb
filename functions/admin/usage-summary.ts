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

    /** Users who have used nothing are left out. One query for each account. */
    async readMonth(
      month: string,
      userDirectory: Pick<UserDirectory, 'listAll' | 'listMembers'>,
      groups: Pick<GroupDirectory, 'listNames'>,
    ): Promise<AdminUsage> {
      const members = await loadMembers(userDirectory, await groups.listNames())
      const rowsByUser = new Map<string, Row[]>()
      const found: AdminUsage['users'] = []
      for await (const page of userDirectory.listAll())
        await Promise.all(
          page.map(async ({ id, email, provider_groups: providerGroups = [] }) => {
            for (const name of providerGroups) members.get(name)?.add(id)
            const rows = (await loadDays(id)).filter((row) => toMonth(toDay(row)) === month)
            const sum = sumRows(rows)
            if (!isUsed(sum)) return
            rowsByUser.set(id, rows)
            const names = [...members].flatMap(([name, ids]) => (ids.has(id) ? [name] : []))
            found.push({ id, email, groups: names, ...sum })
          }),
        )
      return {
        month,
        users: found.toSorted((one, other) => countTokens(other) - countTokens(one)),
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

async function loadMembers(
  users: Pick<UserDirectory, 'listMembers'>,
  names: readonly string[],
): Promise<Map<string, Set<string>>> {
  const members = new Map<string, Set<string>>()
  for (const name of names) {
    const ids = new Set<string>()
    for await (const page of users.listMembers(name)) for (const id of page) ids.add(id)
    members.set(name, ids)
  }
  return members
}
