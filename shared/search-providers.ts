/** What WEB_SEARCH may name. */
export const searchProviders = ['brave', 'tavily', 'searxng'] as const
export type SearchProvider = (typeof searchProviders)[number]
