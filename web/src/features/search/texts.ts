import { plural, t } from '@lingui/core/macro'

// search-dialog
export const title = t`Search`
export const label = t`Search conversations and pages`
export const closeWithKey = t`Close, Esc`
export const escapeKey = t`Esc`
export const results = t`Results`
export const notLoaded = t`Your conversations could not be loaded.`
export const loading = t`Loading your conversations…`
export const nothingFound = (query: string) => t`Nothing found for “${query}”.`
export const archived = t({ message: 'Archived', context: 'one conversation' })
export const showMore = (count: number) =>
  plural(count, { one: 'Show # more conversation', other: 'Show # more conversations' })
