// search-dialog
export const title = 'Search'
export const label = 'Search conversations and pages'
export const closeWithKey = 'Close, Esc'
export const escapeKey = 'Esc'
export const results = 'Results'
export const notLoaded = 'Your conversations could not be loaded.'
export const loading = 'Loading your conversations…'
export const nothingFound = (query: string) => `Nothing found for “${query}”.`
export const archived = 'Archived'
