import { plural } from '../../../lib/plural.ts'

// integrations-page
export const connectionsNotLoaded = 'Your connections could not be loaded, so cards may show “Not connected”.'
export const loadingMore = 'Loading...'
export const loadMore = 'Load More'
export const disconnectTitle = (name: string) => `Disconnect ${name}?`
export const disconnect = 'Disconnect'
export const loading = 'Loading integrations...'
export const loadingCached = 'Using cached data when available'
export const searching = 'Searching…'
export const allShown = (total: number) => `${total.toLocaleString()} shown`
export const someShown = (shown: number, total: number) =>
  `Showing ${shown.toLocaleString()} of ${total.toLocaleString()}`
export const plusSandboxes = (summary: string, sandboxes: number) => `${summary}, plus ${sandboxes} sandbox`
export const connectedOnly = 'Connected'
export const providersWith = (text: string) => `providers with "${text}"`

// nothing-found
export const nothingFound = 'No integrations found'
export const noResults = (term: string) => `No results for "${term}"`
export const noProviders = (text: string) => `No results of providers with "${text}"`
export const noneConnected = 'Nothing is connected yet'
export const noneConnectedOfType = 'Nothing with this sign-in type is connected'
export const noneAvailable = 'No integrations available'
export const filteredBy = (filters: readonly string[]) => `Filtered by ${filters.join(', ')}.`
export const clearFilters = 'Clear filters'
export const knownServer = 'Do you know the address of its MCP server?'
export const addKnownServer = 'Add it as a custom tool'
export const refreshIntegrations = 'Refresh Integrations'

// catalogue-header
export const backToChat = 'Back to chat'
export const backToChatWithKey = 'Back to chat (Escape)'
export const title = 'MCP Integrations'
export const sync = 'Sync'
export const addCustom = 'Add Custom'
export const syncActions = 'Sync: more'
export const syncForce = 'Force'
export const syncForceHint = 'Reads everything again, also within a day of the last sync.'
export const syncEnhanced = 'Enhanced Sync'
export const syncEnhancedHint = 'Reads what has changed, from all sources.'
export const syncGithub = 'GitHub'
export const syncGithubHint = 'Reads what has changed in the list on GitHub.'
export const syncRefresh = 'Refresh'
export const available = (count: number) => `${count.toLocaleString()} available`
export const lastSync = (age: string) => `Last sync ${age}`
export const serverCount = (count: number) =>
  `${count.toLocaleString()} ${plural(count, { one: 'server', other: 'servers' })}`
export const demoProvidersHint = 'Connections go to simulated providers until real ones are configured.'
export const demoProviders = 'Demo providers'

// catalogue-filters
export const search = 'Search integrations'
export const clearSearch = 'Clear search'
export const provider = 'Provider'
export const anyProvider = 'Any provider'
export const signInType = 'Sign-in type'
export const allTypes = 'All types'

// use-sync
export const forceRefresh = 'Force Refresh'
export const enhancedSync = 'Enhanced Sync'
export const githubSync = 'GitHub Sync'
export const syncFailed = (sync: string) => `${sync} Failed`
export const tryLater = 'Please try again later.'
export const syncCounts = (total: number, added: number, updated: number) =>
  `${total} servers, ${added} new, ${updated} updated`
export const syncIssues = (counts: string, issues: number, first: string) =>
  `${counts}; ${plural(issues, { one: '1 issue', other: `${issues} issues` })}: ${first}`
export const syncCompletedWithIssues = (sync: string) => `${sync} Completed with Issues`
export const syncComplete = (sync: string) => `${sync} Complete`
