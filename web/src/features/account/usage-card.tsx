import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { UsageRead } from '#shared/contracts/usage.ts'
import { formatCost, formatDollars } from '../../components/format-cost.ts'
import { formatCount } from '../../lib/text/locale.ts'
import { CostExclusions, UsageDetails } from '../../components/usage-details.tsx'
import { callApi } from '../../lib/api/call-api.ts'
import { formatDate, formatTime } from '../../lib/text/dates.ts'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'
import { QueryContent } from '../../components/query-content.tsx'
import { UsageDays } from './usage-days.tsx'

const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: ({ signal }) => callApi('account.usage', {}, { signal }),
  // not cached: each reply changes it
  gcTime: 0,
})

/** What the user’s replies have used: today, this month, in total and by day. */
export function UsageCard() {
  const query = useQuery(usageQuery)
  const { days = [], total } = query.data ?? {}
  return (
    <SettingsCard
      title={t`Usage`}
      subtitle={t`What your replies used in the last 31 days. A day ends at midnight UTC.`}
    >
      <CardSection>
        <QueryContent
          query={query}
          label={t`Loading your usage`}
          failure={t`Your usage could not be loaded.`}
        >
          {(usage) => <Today usage={usage} />}
        </QueryContent>
      </CardSection>
      {total && (
        <CardSection>
          {days.length === 0 ? (
            <p className="text-ink-muted">{t`Nothing yet. Each day with a reply is listed here.`}</p>
          ) : (
            <>
              <h3 className="mb-2 font-medium">{t`All days`}</h3>
              <UsageDetails usage={total} />
              <CostExclusions usage={total} />
            </>
          )}
        </CardSection>
      )}
      {days.length > 0 && (
        <CardSection>
          <UsageDays days={days} />
        </CardSection>
      )}
    </SettingsCard>
  )
}

function Today({ usage: { today, month, total } }: { usage: UsageRead }) {
  const { tokens, images, cost, resets_at } = today
  const time = formatTime(new Date(resets_at))
  const isUsedUp = tokens.used >= tokens.limit || (cost && cost.used >= cost.limit)
  return (
    <>
      <h3 className="font-medium">{t`Today`}</h3>
      <div className="mt-2 grid gap-3">
        <Budget label={t`Tokens`} {...tokens} />
        {total.images > 0 && images.limit > 0 && <Budget label={t`Images`} {...images} />}
        {cost && <Budget label={t`Cost`} {...cost} isCost />}
      </div>
      <p className="mt-2 text-sm text-ink-muted">
        {isUsedUp
          ? t`Used up. Resets at ${time}.`
          : t`Resets at ${time}. Replies in progress count with an estimate.`}{' '}
        {t`Cached tokens count in full.`}
      </p>
      {month && <Month {...month} />}
    </>
  )
}

function Month({ tokens, cost, resets_at }: NonNullable<UsageRead['month']>) {
  const date = formatDate(new Date(resets_at))
  const isUsedUp = [tokens, cost].some((budget) => budget && budget.used >= budget.limit)
  return (
    <>
      <h3 className="mt-4 font-medium">{t`This month`}</h3>
      <div className="mt-2 grid gap-3">
        {tokens && <Budget label={t`Tokens this month`} {...tokens} />}
        {cost && <Budget label={t`Cost this month`} {...cost} isCost />}
      </div>
      <p className="mt-2 text-sm text-ink-muted">
        {isUsedUp
          ? t`Used up. Resets on ${date}. Your administrator can raise the limit.`
          : t`Resets on ${date}.`}{' '}
        {tokens && t`Cached tokens count in full.`}
      </p>
    </>
  )
}

interface BudgetProps {
  label: string
  used: number
  limit: number
  isCost?: boolean
}

function Budget({ label, used, limit, isCost = false }: BudgetProps) {
  const text = isCost
    ? t`${formatCost(used)} of ${formatDollars(limit)}`
    : t`${formatCount(used)} of ${formatCount(limit)}`
  return (
    <div>
      <div className="flex flex-wrap justify-between gap-x-4">
        <span className="text-ink-muted">{label}</span>
        <span>{text}</span>
      </div>
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={text}
        className="mt-1 h-2 overflow-hidden rounded-full bg-surface-pressed forced-colors:border"
      >
        <div
          className={`h-full rounded-full forced-colors:bg-[Highlight] ${used >= limit ? 'bg-danger' : 'bg-accent'}`}
          style={{ width: `${used >= limit ? 100 : (100 * used) / limit}%` }}
        />
      </div>
    </div>
  )
}
