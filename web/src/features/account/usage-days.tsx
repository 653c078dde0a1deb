import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import type { UsageDay } from '#shared/contracts/usage.ts'
import { formatCost } from '../../components/format-cost.ts'
import { ScrollRegion } from '../../components/scroll-region.tsx'
import { Button } from '../../components/ui/button.tsx'
import { formatDate } from '../../lib/text/dates.ts'
import { formatCount } from '../../lib/text/locale.ts'

/** Shown for a day whose cost is not known. */
const unknownCost = '–'

/** The number of days that are shown at first: a week, or more if nothing was used on some days, which are not listed. */
const initialDayCount = 7

const countTokens = ({ inputTokens, outputTokens }: UsageDay) => inputTokens + outputTokens

/** Local noon of a day in UTC, so that it is shown as the same day everywhere. */
const toLocalDate = (day: string) => new Date(`${day}T12:00:00`)

/** What each day used; the last ones at first. */
export function UsageDays({ days }: { days: readonly UsageDay[] }) {
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
