import type { GroupLimits } from '#shared/contracts/admin.ts'
import type { PublicModel } from '#shared/models.ts'
import { formatCount, formatList, locale } from '../../lib/locale.ts'
import * as texts from './texts.ts'

/** `$5`, `$2.50`: without cents if there are none, unlike the dollars of a usage. */
const formatCostLimit = (amount: number) =>
  amount.toLocaleString(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
    maximumFractionDigits: 4,
  })

/** One phrase for each limit that is set. @param models their names are used instead of ids */
export function describeLimits(limits: GroupLimits, models: readonly PublicModel[] = []): string[] {
  const phrases: (string | undefined)[] = [
    limits.models && describeModels(limits.models, models),
    describe(limits.tokens_per_day, (count) => texts.tokensPerDay(formatCount(count))),
    describe(limits.tokens_per_month, (count) => texts.tokensPerMonth(formatCount(count))),
    describe(limits.cost_per_day, (cost) => texts.costPerDay(formatCostLimit(cost))),
    describe(limits.cost_per_month, (cost) => texts.costPerMonth(formatCostLimit(cost))),
    describe(limits.images_per_day, texts.imagesPerDay),
    describe(limits.uploads_per_day, texts.uploadsPerDay),
    describe(limits.storage_gb, (size) => texts.storage(formatCount(size))),
    limits.tools && texts.toolsAllowed[limits.tools],
    limits.require_two_factor === undefined
      ? undefined
      : limits.require_two_factor
        ? texts.twoFactorRequired
        : texts.twoFactorNotRequired,
  ]
  return phrases.filter((phrase) => phrase !== undefined)
}

const describe = (limit: number | undefined, toPhrase: (limit: number) => string) =>
  limit === undefined ? undefined : toPhrase(limit)

function describeModels(ids: readonly string[], models: readonly PublicModel[]): string {
  if (ids.length === 0) return texts.noModels
  return texts.models(formatList(ids.map((id) => models.find((model) => model.id === id)?.name ?? id)))
}
