import { plural } from '../../lib/plural.ts'

export const usage = 'Usage'
export const usageHint = 'What your replies used in the last 31 days. A day ends at midnight UTC.'
export const loading = 'Loading your usage'
export const notLoaded = 'Your usage could not be loaded.'
export const nothingUsed = 'Nothing yet. Each day with a reply is listed here.'
export const today = 'Today'
export const tokens = 'Tokens'
export const images = 'Images'
export const ofLimit = (used: string, limit: string) => `${used} of ${limit}`
export const usedUp = (time: string) => `Used up. Resets at ${time}.`
export const resets = (time: string) => `Resets at ${time}. Replies in progress count with an estimate.`
export const month = 'This month'
export const tokensOfMonth = 'Tokens this month'
export const costOfMonth = 'Cost this month'
export const monthUsedUp = (date: string) =>
  `Used up. Resets on ${date}. Your administrator can raise the limit.`
export const monthResets = (date: string) => `Resets on ${date}.`
export const sum = 'All days'
export const byDay = 'By day'
export const day = 'Day'
export const replies = 'Replies'
export const input = 'Input'
export const cached = 'Cached'
export const output = 'Output'
export const cost = 'Cost'
export const unknown = '–'
export const showAll = (count: number) =>
  plural(count, { one: 'Show 1 day', other: `Show all ${count} days` })
