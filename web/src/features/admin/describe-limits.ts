import { plural, t } from '@lingui/core/macro'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import { groupRights } from '#shared/group-rights.ts'
import type { PublicModel } from '#shared/models.ts'
import { formatCount, formatList, locale } from '../../lib/text/locale.ts'

const describeModelNames = (names: string) => t`Models: ${names}`
const describeImages = (count: number) =>
  count === 0 ? t`No images` : plural(count, { one: '# image a day', other: `# images a day` })
const describeUploads = (count: number) =>
  count === 0 ? t`No uploads` : plural(count, { one: '# upload a day', other: `# uploads a day` })
const describeSchedules = (count: number) =>
  count === 0 ? t`No scheduled messages` : plural(count, { one: '# schedule', other: `# schedules` })
const describeTwoFactor = (isRequired: boolean) =>
  isRequired ? t`Two-factor required` : t`Two-factor optional`

const toolsText = {
  all: t`All tools`,
  catalogue: t`No custom tools`,
  built_in: t`Built-in integrations only`,
  none: t`No tools`,
}

export const rightsText = {
  publish: t`Publish assistants`,
  share_links: t`Make links to conversations for people outside`,
  upload: t`Add files`,
  memory: t`Use memory`,
  temporary_chats: t`Have temporary chats`,
  schedules: t`Schedule messages`,
  web_pages: t`Read pages of the web`,
}
const missingRightsText = {
  publish: t`No publishing`,
  share_links: t`No links for people outside`,
  upload: t`No uploads`,
  memory: t`No memory`,
  temporary_chats: t`No temporary chats`,
  schedules: t`No scheduled messages`,
  web_pages: t`No pages of the web`,
}

/** `$5` or `$2.50`: without cents if there are none. `formatDollars` always writes them. */
const formatCostLimit = (amount: number) =>
  amount.toLocaleString(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
    maximumFractionDigits: 4,
  })

/**
 * Describes limits in short phrases: one for each limit that is set, but none twice, as two limits may forbid the same.
 * @param models by whose names models are called, instead of their ids
 */
export function describeLimits(limits: GroupLimits, models: readonly PublicModel[] = []): string[] {
  const phrases: (string | undefined)[] = [
    limits.models && describeModels(limits.models, models),
    describeIfSet(limits.tokens_per_day, (count) => t`${formatCount(count)} tokens a day`),
    describeIfSet(limits.tokens_per_month, (count) => t`${formatCount(count)} tokens a month`),
    describeIfSet(limits.cost_per_day, (cost) => t`${{ amount: formatCostLimit(cost) }} a day`),
    describeIfSet(limits.cost_per_month, (cost) => t`${{ amount: formatCostLimit(cost) }} a month`),
    describeIfSet(limits.images_per_day, describeImages),
    describeIfSet(limits.uploads_per_day, describeUploads),
    describeIfSet(limits.storage_gb, (size) => t`${formatCount(size)} GB of files`),
    describeIfSet(limits.max_schedules, describeSchedules),
    limits.tools && toolsText[limits.tools],
    describeIfSet(limits.require_two_factor, describeTwoFactor),
    ...groupRights.map((right) =>
      describeIfSet(limits[right], (isAllowed) =>
        isAllowed ? t`Allowed: ${{ right: rightsText[right] }}` : missingRightsText[right],
      ),
    ),
  ]
  return [...new Set(phrases.filter((phrase) => phrase !== undefined))]
}

const describeIfSet = <Limit>(limit: Limit | undefined, describe: (limit: Limit) => string) =>
  limit === undefined ? undefined : describe(limit)

function describeModels(ids: readonly string[], models: readonly PublicModel[]): string {
  if (ids.length === 0) return t`No models`
  return describeModelNames(formatList(ids.map((id) => models.find((model) => model.id === id)?.name ?? id)))
}
