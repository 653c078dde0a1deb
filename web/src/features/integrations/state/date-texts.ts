// date-labels
export const never = 'Never'
export const justNow = 'Just now'
export const hoursAgo = (hours: number) => `${hours}h ago`
export const daysAgo = (days: number) => `${days}d ago`
export const connectedRecently = 'Connected recently'
export const connectedOn = (day: string) => `Connected ${day}`
export const recentlyUpdated = 'Recently updated'
export const updatedOn = (day: string) => `Updated ${day}`
