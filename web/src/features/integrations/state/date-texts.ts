import { t } from '@lingui/core/macro'

// date-labels
export const never = t`Never`
export const justNow = t`Just now`
export const hoursAgo = (hours: number) => t`${hours}h ago`
export const daysAgo = (days: number) => t`${days}d ago`
export const connectedRecently = t`Connected recently`
export const connectedOn = (day: string) => t`Connected ${day}`
export const recentlyUpdated = t`Recently updated`
export const updatedOn = (day: string) => t`Updated ${day}`
