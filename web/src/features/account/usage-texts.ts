import { plural, t } from '@lingui/core/macro'

export const usage = t`Usage`
export const usageHint = t`What your replies used in the last 31 days. A day ends at midnight UTC.`
export const loading = t`Loading your usage`
export const notLoaded = t`Your usage could not be loaded.`
export const nothingUsed = t`Nothing yet. Each day with a reply is listed here.`
export const today = t`Today`
export const tokens = t`Tokens`
export const images = t`Images`
export const webSearches = t`Web searches`
export const ofLimit = (used: string, limit: string) => t`${used} of ${limit}`
export const usedUp = (time: string) => t`Used up. Resets at ${time}.`
export const resets = (time: string) => t`Resets at ${time}. Replies in progress count with an estimate.`
export const month = t`This month`
export const tokensOfMonth = t`Tokens this month`
export const costOfMonth = t`Cost this month`
export const monthUsedUp = (date: string) =>
  t`Used up. Resets on ${date}. Your administrator can raise the limit.`
export const monthResets = (date: string) => t`Resets on ${date}.`
export const sum = t`All days`
export const byDay = t`By day`
export const day = t`Day`
export const replies = t`Replies`
export const input = t`Input`
export const cached = t`Cached`
export const output = t`Output`
export const cost = t`Cost`
export const unknown = '–'
export const showAll = (count: number) => plural(count, { one: 'Show # day', other: `Show all # days` })
