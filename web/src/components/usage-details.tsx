import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import type { UsageTotals } from '#shared/contracts/usage.ts'
import { formatCost } from './format-cost.ts'
import { formatCount } from '../lib/text/locale.ts'

/** What replies used, line by line. What was not used or is not known has no line. */
export function UsageDetails({ usage }: { usage: UsageTotals & { replies: number } }) {
  const {
    replies,
    inputTokens,
    cachedInputTokens,
    outputTokens,
    images,
    webSearches = 0,
    cost,
    scheduled,
  } = usage
  return (
    <dl className="grid max-w-96 grid-cols-[1fr_auto] gap-x-6 gap-y-1.5">
      <Line label={t`Replies`} value={formatCount(replies)} />
      {scheduled && <Line isPart label={t`of which scheduled`} value={formatCount(scheduled.replies)} />}
      <Line label={t`Input tokens`} value={formatCount(inputTokens)} />
      {cachedInputTokens > 0 && (
        <Line isPart label={t`of which cached`} value={formatCount(cachedInputTokens)} />
      )}
      <Line label={t`Output tokens`} value={formatCount(outputTokens)} />
      {scheduled && <Line label={t`Tokens of scheduled replies`} value={formatCount(scheduled.tokens)} />}
      {images > 0 && <Line label={t`Images`} value={formatCount(images)} />}
      {webSearches > 0 && <Line label={t`Web searches`} value={formatCount(webSearches)} />}
      {cost !== undefined && <Line label={t`Cost`} value={formatCost(cost)} />}
      {scheduled?.cost !== undefined && (
        <Line isPart label={t`of which scheduled`} value={formatCost(scheduled.cost)} />
      )}
    </dl>
  )
}

/** A line of the list. @param isPart whether the value is included in the line above */
function Line({ label, value, isPart = false }: { label: string; value: string; isPart?: boolean }) {
  return (
    <>
      <dt className={clsx('text-ink-muted', isPart && 'ps-4')}>{label}</dt>
      <dd className="text-end wrap-anywhere">{value}</dd>
    </>
  )
}

/** What the cost does not contain. */
export function CostExclusions({ usage: { cost, images, unpricedTokens = 0 } }: { usage: UsageTotals }) {
  if (cost === undefined || (images === 0 && unpricedTokens === 0)) return null
  return (
    <p className="mt-3 text-sm text-ink-muted">
      {unpricedTokens > 0 &&
        t`The cost does not include ${{ tokens: formatCount(unpricedTokens) }} tokens of models whose price is not known.`}{' '}
      {images > 0 && t`The cost does not include images.`}
    </p>
  )
}
