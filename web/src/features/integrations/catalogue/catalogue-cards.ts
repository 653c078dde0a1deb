import type { Integration } from '#shared/contracts/integrations.ts'
import type { AuthType, Environment, RegistryEntry } from '#shared/contracts/registry.ts'
import { dedupe } from '#shared/registry-search.ts'

/** One card of the grid. */
export interface CatalogueCard {
  /** the entry's id; of a sandbox card with the suffix -sandbox (INT-34) */
  id: string
  entry: RegistryEntry
  environment: Environment
  /** absent when nothing is connected, and always on a sandbox card (INT-35) */
  integration: Integration | undefined
}

/** What people read where cards stand apart from each other. */
export const cardName = ({ entry, environment }: CatalogueCard): string =>
  environment === 'sandbox' ? `${entry.name} Sandbox` : entry.name

/** Whether Connect has nothing to ask first: the server needs nothing, or signs people in by itself (`one_click`, operator's app). */
export function connectsAtOnce({ entry, environment }: CatalogueCard): 'directly' | 'by sign-in' | undefined {
  if (entry.address_parameters.some(({ optional }) => !optional)) return undefined
  if (entry.auth_type === 'none') return 'directly'
  if (entry.one_click && environment === 'production') return 'by sign-in'
  return entry.preconfigured && entry.auth_type === 'oauth2' ? 'by sign-in' : undefined
}

const sandboxSuffix = '-sandbox'

/** The entry that an integration belongs to (DEC-059). */
export function entryIdOf(mcpId: string): string {
  return mcpId.endsWith(sandboxSuffix) ? mcpId.slice(0, -sandboxSuffix.length) : mcpId
}

const sandboxNames = /salesforce|stripe|paypal/i

/** INT-37, INT-38, INT-39, DEC-060 */
export function supportsSandbox(
  entry: Pick<RegistryEntry, 'sandbox_supported' | 'environments' | 'provider' | 'name'>,
): boolean {
  return (
    entry.sandbox_supported ||
    entry.environments.length > 1 ||
    sandboxNames.test(entry.provider) ||
    sandboxNames.test(entry.name)
  )
}

/** INT-40 */
export const environmentLabels: Record<Environment, 'Live' | 'Sandbox'> = {
  production: 'Live',
  sandbox: 'Sandbox',
}

/** INT-18 */
export const authTypeLabels: Record<AuthType, string> = {
  oauth2: 'OAuth 2.0',
  api_key: 'API key',
  none: 'No sign-in',
  unknown: 'Asks the server',
}

/** How a card's buttons connect it, in the badge's words; once it is connected, how it was. */
export function describeAuthType(card: CatalogueCard): { authType: AuthType; label: string } {
  const { entry, integration } = card
  const authType = integration?.status === 'connected' ? integration.auth_type : entry.auth_type
  const signsIn = integration?.status !== 'connected' && connectsAtOnce(card) === 'by sign-in'
  if (authType !== 'api_key' || !signsIn) return { authType, label: authTypeLabels[authType] }
  return { authType: 'oauth2', label: entry.setup ? 'OAuth or API key' : authTypeLabels.oauth2 }
}

/** DEC-074: what one can filter by. */
export const authTypes: readonly AuthType[] = ['oauth2', 'api_key', 'none', 'unknown']

/**
 * Entries as cards, each with its sandbox twin behind it (INT-33 to INT-36), in the order of the pages they came in. Pages shift
 * while a sync runs: what came twice is shown once.
 */
export function catalogueCards(
  entries: readonly RegistryEntry[],
  integrations: readonly Integration[],
): CatalogueCard[] {
  const connected = new Map(integrations.map((row) => [row.mcp_id, row]))
  return dedupe(entries, []).flatMap((entry) => {
    const live: CatalogueCard = {
      id: entry.id,
      entry,
      environment: 'production',
      integration: connected.get(entry.id),
    }
    if (!supportsSandbox(entry)) return [live]
    return [
      live,
      { id: entry.id + sandboxSuffix, entry, environment: 'sandbox', integration: undefined } as const,
    ]
  })
}
