import { plural, t } from '@lingui/core/macro'
import { formatCount, formatList } from '../../../lib/locale.ts'

// integrations-page
export const connectionsNotLoaded = t`Your connections could not be loaded, so cards may show “Not connected”.`
export const availableGroup = t`Available`
export const loadingMore = t`Loading...`
export const loadMore = t`Load More`
export const disconnectTitle = (name: string) => t`Disconnect ${name}?`
export const disconnect = t`Disconnect`
export const loading = t`Loading integrations...`
export const loadingCached = t`Using cached data when available`
export const searching = t`Searching…`
export const allShown = (total: number) => t`${formatCount(total)} shown`
export const someShown = (shown: number, total: number) =>
  t`Showing ${formatCount(shown)} of ${formatCount(total)}`
export const plusSandboxes = (summary: string, sandboxes: number) =>
  plural(sandboxes, { one: `${summary}, plus # sandbox`, other: `${summary}, plus # sandboxes` })
export const connectedOnly = t({ message: 'Connected', context: 'filter' })
export const providersWith = (text: string) => t`providers with "${text}"`

// nothing-found
export const nothingFound = t`No integrations found`
export const noResults = (term: string) => t`No results for "${term}"`
export const noProviders = (text: string) => t`No results of providers with "${text}"`
export const noneConnected = t`Nothing is connected yet`
export const noneConnectedOfType = t`Nothing with this sign-in type is connected`
export const noneAvailable = t`No integrations available`
export function filteredBy(filters: readonly string[]) {
  const list = formatList(filters)
  return t`Filtered by ${list}.`
}
export const clearFilters = t`Clear filters`
export const knownServer = t`Do you know the address of its MCP server?`
export const addKnownServer = t`Add it as a custom tool`
export const refreshIntegrations = t`Refresh Integrations`

// catalogue-header
export const backToChat = t`Back to chat`
export const backToChatWithKey = t`Back to chat (Escape)`
export const title = t`MCP Integrations`
export const sync = t`Sync`
export const addCustom = t`Add Custom`
export const syncActions = t`Sync: more`
export const syncForce = t`Force`
export const syncForceHint = t`Reads everything again, also within a day of the last sync.`
export const syncEnhanced = t`Enhanced Sync`
export const syncEnhancedHint = t`Reads what has changed, from all sources.`
export const syncGithub = t`GitHub`
export const syncGithubHint = t`Reads what has changed in the list on GitHub.`
export const syncRefresh = t`Refresh`
export const available = (count: number) => t`${formatCount(count)} available`
export const lastSync = (age: string) => t`Last sync ${age}`
export const serverCount = (count: number) => plural(count, { one: '# server', other: '# servers' })
export const demoProvidersHint = t`Connections go to simulated providers until real ones are configured.`
export const demoProviders = t`Demo providers`

// catalogue-filters
export const search = t`Search integrations`
export const clearSearch = t`Clear search`
export const provider = t`Provider`
export const anyProvider = t`Any provider`
export const signInType = t`Sign-in type`
export const allTypes = t`All types`

// use-sync
export const forceRefresh = t`Force Refresh`
export const enhancedSync = t`Enhanced Sync`
export const githubSync = t`GitHub Sync`
export const syncFailed = (sync: string) => t`${sync} Failed`
export const tryLater = t`Please try again later.`
export const syncCounts = (total: number, added: number, updated: number) =>
  plural(total, {
    one: `# server, ${added} new, ${updated} updated`,
    other: `# servers, ${added} new, ${updated} updated`,
  })
export const syncIssues = (counts: string, issues: number, first: string) =>
  t`${counts}; ${plural(issues, { one: '# issue', other: '# issues' })}: ${first}`
export const syncCompletedWithIssues = (sync: string) => t`${sync} Completed with Issues`
export const syncComplete = (sync: string) => t`${sync} Complete`
