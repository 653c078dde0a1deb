import { t } from '@lingui/core/macro'
import { formatCount } from '../../../lib/locale.ts'

export const usage = t`Usage`
export const usageHint = t`What replies used in a month (UTC). What they were about is never shown here.`
export const month = t`Month`
export const loading = t`Loading the usage`
export const nothingUsed = t`Nothing was used in this month.`
export const download = t`Download CSV`
export const byUser = t`By user`
export const byGroup = t`By group`
export const byGroupHint = t`A user in several groups counts in each.`
export const total = t`Total`
export const user = t`User`
export const group = t`Group`
export const replies = t`Replies`
export const input = t`Input`
export const output = t`Output`
export const images = t`Images`
export const webSearches = t`Web searches`
export const cost = t`Cost`
export const unknown = '–'
export const showAll = (count: number) => t`Show all ${formatCount(count)}`
export const sortBy = t`Sort by`
