import { plural, t } from '@lingui/core/macro'

/** How many members a group has. @param count null: too many for the service to count */
export const formatMemberCount = (count: number | null): string =>
  count === null ? t`Many members` : plural(count, { one: '# member', other: `# members` })
