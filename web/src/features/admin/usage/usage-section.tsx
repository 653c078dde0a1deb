import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from '../../../lib/navigation/router.tsx'
import type { AdminUsage } from '#shared/contracts/admin.ts'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { CostExclusions } from '../../../components/usage-details.tsx'
import { formatMonthAndYear } from '../../../lib/text/dates.ts'
import { downloadBlob } from '../../../lib/browser/download.ts'
import { adminUsersPath } from '../../../lib/navigation/paths.ts'
import { monthUsageQuery } from '../admin-queries.ts'
import { SelectField } from '../../../components/ui/select-field.tsx'
import { FeedbackCard } from './feedback-card.tsx'
import { listMonths } from './months.ts'
import { formatUsageCsv } from './usage-csv.ts'
import type { UsageRow } from './usage-columns.ts'
import { UsageTable } from './usage-table.tsx'
import { QueryContent } from '../../../components/query-content.tsx'

/** What each user and group used in a month; the month is in the URL. */
export function UsageSection() {
  const [params, setParams] = useSearchParams()
  // those of the first rendering, so that a page which is open at the end of a month stays as it is
  const [months] = useState(() => listMonths(new Date()))
  const requestedMonth = params.get('month')
  const month = months.find((each) => each === requestedMonth) ?? months[0] ?? ''
  const query = useQuery(monthUsageQuery(month))
  const { data } = query
  return (
    <>
      <SettingsCard
        title={t`Usage`}
        subtitle={t`What replies used in a month (UTC). What they were about is never shown here.`}
      >
        <div className="mt-4 flex items-end justify-between gap-4 max-sm:flex-col max-sm:items-stretch">
          <div className="w-56 max-sm:w-full">
            <SelectField
              label={t`Month`}
              value={month}
              // noon of the 2nd is in the same month everywhere
              options={months.map((value) => ({
                value,
                label: formatMonthAndYear(new Date(`${value}-02T12:00:00Z`)),
              }))}
              onChange={(value) => setParams({ month: value }, { replace: true })}
            />
          </div>
          <Button
            size="lg"
            disabled={!data?.users.length}
            onClick={() => {
              if (data) downloadUsage(data)
            }}
          >
            <Download aria-hidden size={16} />
            {t`Download CSV`}
          </Button>
        </div>
        {data?.users.length ? (
          <MonthTables usage={data} />
        ) : (
          <CardSection className="mt-4">
            <QueryContent query={query} label={t`Loading the usage`}>
              {() => <p className="text-ink-muted">{t`Nothing was used in this month.`}</p>}
            </QueryContent>
          </CardSection>
        )}
      </SettingsCard>
      <FeedbackCard month={month} />
    </>
  )
}

const downloadUsage = (usage: AdminUsage) =>
  downloadBlob(new Blob([formatUsageCsv(usage)], { type: 'text/csv' }), `usage-${usage.month}.csv`)

function MonthTables({ usage: { users, groups, total } }: { usage: AdminUsage }) {
  return (
    <>
      <CardSection className="mt-4">
        <UsageTable
          title={t`By user`}
          nameLabel={t`User`}
          rows={users.map((user): UsageRow => ({
            ...user,
            key: user.id,
            name: user.email,
            link: `${adminUsersPath}/${user.id}`,
          }))}
          total={total}
        />
        <CostExclusions usage={total} />
      </CardSection>
      {groups.length > 0 && (
        <CardSection>
          <UsageTable
            title={t`By group`}
            hint={t`A user in several groups counts in each.`}
            nameLabel={t`Group`}
            rows={groups.map((group): UsageRow => ({ ...group, key: group.name, link: undefined }))}
          />
        </CardSection>
      )}
    </>
  )
}
