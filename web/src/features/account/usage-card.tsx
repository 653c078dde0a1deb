import { t, plural } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { UsageRead, UsageDay } from '#shared/contracts/usage.ts'
import { formatCost, formatDollars } from '../../components/format-cost.ts'
import { formatCount } from '../../lib/text/locale.ts'
import { CostExclusions, UsageDetails } from '../../components/usage-details.tsx'
import { callApi } from '../../lib/api/call-api.ts'
import { formatDate, formatTime } from '../../lib/text/dates.ts'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'
import { QueryContent } from '../../components/query-content.tsx'
import { useState } from 'react'
import { ScrollRegion } from '../../components/scroll-region.tsx'
import { Button } from '../../components/ui/button.tsx'

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

/** Shown for a day whose cost is not known. */
const unknownCost = '–'

/** The number of days that are shown at first: a week, or more if nothing was used on some days, which are not listed. */
const initialDayCount = 7

const countTokens = ({ inputTokens, outputTokens }: UsageDay) => inputTokens + outputTokens

/** Local noon of a day in UTC, so that it is shown as the same day everywhere. */
const toLocalDate = (day: string) => new Date(`${day}T12:00:00`)

/** What each day used; the last ones at first. */
function UsageDays({ days }: { days: readonly UsageDay[] }) {
  const [showsAllDays, setShowsAllDays] = useState(false)
  const visibleDays = showsAllDays ? days : days.slice(0, initialDayCount)
  const maxTokens = Math.max(...days.map(countTokens), 1)
  const hasImages = days.some(({ images }) => images > 0)
  const hasSearches = days.some(({ webSearches = 0 }) => webSearches > 0)
  const hasCost = days.some(({ cost }) => cost !== undefined)
  return (
    <>
      <h3 className="font-medium">{t`By day`}</h3>
      {/* on a phone the numbers are wider than the card */}
      <ScrollRegion label={t`By day`} className="mt-2 [--scroll-surface:var(--color-surface-raised)]">
        <table className="w-full text-sm">
          <thead className="text-ink-muted">
            <tr>
              <th scope="col" className="py-1.5 pe-4 text-start font-normal">
                {t`Day`}
              </th>
              <NumberHead>{t`Replies`}</NumberHead>
              <NumberHead>{t`Input`}</NumberHead>
              <NumberHead>{t`Cached`}</NumberHead>
              <NumberHead>{t`Output`}</NumberHead>
              {hasImages && <NumberHead>{t`Images`}</NumberHead>}
              {hasSearches && <NumberHead>{t`Web searches`}</NumberHead>}
              {hasCost && <NumberHead>{t`Cost`}</NumberHead>}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {visibleDays.map((day) => (
              <tr key={day.day}>
                <th scope="row" className="min-w-28 py-1.5 pe-4 text-start font-normal whitespace-nowrap">
                  <time dateTime={day.day}>{formatDate(toLocalDate(day.day))}</time>
                  <div aria-hidden className="mt-0.5 h-1 rounded-full bg-surface-pressed">
                    <div
                      className="h-full rounded-full bg-accent"
                      style={{ width: `${(100 * countTokens(day)) / maxTokens}%` }}
                    />
                  </div>
                </th>
                <NumberCell>{formatCount(day.replies)}</NumberCell>
                <NumberCell>{formatCount(day.inputTokens)}</NumberCell>
                <NumberCell>{formatCount(day.cachedInputTokens)}</NumberCell>
                <NumberCell>{formatCount(day.outputTokens)}</NumberCell>
                {hasImages && <NumberCell>{formatCount(day.images)}</NumberCell>}
                {hasSearches && <NumberCell>{formatCount(day.webSearches ?? 0)}</NumberCell>}
                {hasCost && (
                  <NumberCell>{day.cost === undefined ? unknownCost : formatCost(day.cost)}</NumberCell>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {visibleDays.length < days.length && (
        <Button className="mt-3" onClick={() => setShowsAllDays(true)}>
          {plural({ count: days.length }, { one: 'Show # day', other: `Show all # days` })}
        </Button>
      )}
    </>
  )
}

const NumberHead = ({ children }: { children: string }) => (
  <th scope="col" className="py-1.5 ps-4 text-end font-normal whitespace-nowrap">
    {children}
  </th>
)

const NumberCell = ({ children }: { children: string }) => (
  <td className="py-1.5 ps-4 text-end whitespace-nowrap">{children}</td>
)
