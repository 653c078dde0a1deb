import { plural, t } from '@lingui/core/macro'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import { groupRights } from '#shared/group-rights.ts'
import type { PublicModel } from '#shared/models.ts'
import { formatCount, formatList, locale } from '../../lib/locale.ts'

const describeModelNames = (names: string) => t`Models: ${names}`
const imagesPerDay = (count: number) =>
  count === 0 ? t`No images` : plural(count, { one: '# image a day', other: `# images a day` })
const uploadsPerDay = (count: number) =>
  count === 0 ? t`No uploads` : plural(count, { one: '# upload a day', other: `# uploads a day` })
const schedulesOfPerson = (count: number) =>
  count === 0 ? t`No scheduled messages` : plural(count, { one: '# schedule', other: `# schedules` })
const toolsAllowed = {
  all: t`All tools`,
  catalogue: t`No custom tools`,
  built_in: t`Built-in integrations only`,
  none: t`No tools`,
}

const missingRights = {
  publish: t`No publishing`,
  share_links: t`No links for people outside`,
  upload: t`No uploads`,
  memory: t`No memory`,
  temporary_chats: t`No temporary chats`,
  schedules: t`No scheduled messages`,
}

/** `$5` or `$2.50`: without cents if there are none. `formatDollars` always writes them. */
const formatCostLimit = (amount: number) =>
  amount.toLocaleString(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
    maximumFractionDigits: 4,
  })

/** Describes limits in short phrases, one for each limit that is set. @param models by whose names models are called, instead of their ids */
export function describeLimits(limits: GroupLimits, models: readonly PublicModel[] = []): string[] {
  const phrases: (string | undefined)[] = [
    limits.models && describeModels(limits.models, models),
    describe(limits.tokens_per_day, (count) => t`${formatCount(count)} tokens a day`),
    describe(limits.tokens_per_month, (count) => t`${formatCount(count)} tokens a month`),
    describe(limits.cost_per_day, (cost) => t`${{ amount: formatCostLimit(cost) }} a day`),
    describe(limits.cost_per_month, (cost) => t`${{ amount: formatCostLimit(cost) }} a month`),
    describe(limits.images_per_day, imagesPerDay),
    describe(limits.uploads_per_day, uploadsPerDay),
    describe(limits.storage_gb, (size) => t`${formatCount(size)} GB of files`),
    describe(limits.max_schedules, schedulesOfPerson),
    limits.tools && toolsAllowed[limits.tools],
    limits.require_two_factor === undefined
      ? undefined
      : limits.require_two_factor
        ? t`Two-factor required`
        : t`Two-factor optional`,
    ...groupRights.map((right) => (limits[right] === false ? missingRights[right] : undefined)),
  ]
  return phrases.filter((phrase) => phrase !== undefined)
}

const describe = (limit: number | undefined, toPhrase: (limit: number) => string) =>
  limit === undefined ? undefined : toPhrase(limit)

function describeModels(ids: readonly string[], models: readonly PublicModel[]): string {
  if (ids.length === 0) return t`No models`
  return describeModelNames(formatList(ids.map((id) => models.find((model) => model.id === id)?.name ?? id)))
}
