import { t } from '@lingui/core/macro'
import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import type { Connection } from '#shared/contracts/integrations.ts'
import type { AuthType, Environment } from '#shared/contracts/connection-kinds.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { isConnectionAllowed } from '#shared/group-limits.ts'
import { dedupe } from '#shared/registry-search.ts'

/** A card of the catalogue: an integration in one of its environments, and the user's connection to it. */
export interface CatalogueCard {
  /** the entry's id, with the suffix -sandbox on sandbox cards */
  id: string
  entry: RegistryEntry
  /** whether the groups of the user allow to connect it */
  isAllowed: boolean
  environment: Environment
  /** absent if not connected, and always on sandbox cards */
  connection: Connection | undefined
  /** the connection of a sandbox card, which can be disconnected although the card reads as not connected */
  sandboxConnection?: Connection | undefined
}

/** Whether the card has a connection, of the sandbox too. */
export const hasConnection = ({ connection, sandboxConnection }: CatalogueCard): boolean =>
  (connection ?? sandboxConnection)?.status === 'connected'

/** The card's name, with the environment. */
export const getCardName = ({ entry, environment }: CatalogueCard): string =>
  environment === 'sandbox' ? t`${entry.name} Sandbox` : entry.name

/**
 * How Connect works without further input: directly, if the server needs no credentials, or by OAuth, if the server registers clients
 * itself (`one_click`) or the operator has configured an app. Undefined if the setup dialog is needed.
 */
export function getConnectMode({ entry, environment }: CatalogueCard): 'direct' | 'oauth' | undefined {
  if (entry.address_parameters.some(({ optional }) => !optional)) return undefined
  if (entry.auth_type === 'none') return 'direct'
  if (entry.one_click && environment === 'production') return 'oauth'
  return entry.preconfigured && entry.auth_type === 'oauth2' ? 'oauth' : undefined
}

const sandboxSuffix = '-sandbox'

/** The id of an integration's catalogue entry. */
export function toEntryId(mcpId: string): string {
  return mcpId.endsWith(sandboxSuffix) ? mcpId.slice(0, -sandboxSuffix.length) : mcpId
}

/** Providers with a sandbox whose entries do not say so. */
const sandboxNames = /salesforce|stripe|paypal/i

/** Whether the entry also gets a sandbox card. */
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

/** What the environments are called on cards. */
export const environmentLabels: Record<Environment, string> = {
  production: t`Live`,
  sandbox: t`Sandbox`,
}

/** What the sign-in types are called on cards and in the filter. */
export const authTypeLabels: Record<AuthType, string> = {
  oauth2: t`OAuth 2.0`,
  api_key: t`API key`,
  none: t`No sign-in`,
  unknown: t`Detected automatically`,
}

/** The auth type and its label: how the card connects, or how it was connected. */
export function describeAuthType(card: CatalogueCard): { authType: AuthType; label: string } {
  const { entry, connection } = card
  const authType = connection?.status === 'connected' ? connection.auth_type : entry.auth_type
  const usesOAuth = connection?.status !== 'connected' && getConnectMode(card) === 'oauth'
  if (authType !== 'api_key' || !usesOAuth) return { authType, label: authTypeLabels[authType] }
  return { authType: 'oauth2', label: entry.setup ? t`OAuth or API key` : authTypeLabels.oauth2 }
}

/** The auth types in the filter. */
export const authTypes: readonly AuthType[] = ['oauth2', 'api_key', 'none', 'unknown']

/** An entry as far as the groups of a user allow it: without its remote server where they allow built-in integrations only. */
export function allowEntry(
  entry: RegistryEntry,
  toolsAllowed: ToolsAllowed,
): Pick<CatalogueCard, 'entry' | 'isAllowed'> {
  const mayUseRemote = isConnectionAllowed('remote', toolsAllowed)
  return {
    entry: mayUseRemote ? entry : { ...entry, one_click: false },
    isAllowed:
      mayUseRemote || (entry.config.source === 'builtin' && isConnectionAllowed('built_in', toolsAllowed)),
  }
}

/**
 * Converts entries to cards, each followed by its sandbox card, in page order. Pages shift during a sync,
 * so duplicates are removed.
 */
export function buildCards(
  entries: readonly RegistryEntry[],
  connections: readonly Connection[],
  toolsAllowed: ToolsAllowed = 'all',
): CatalogueCard[] {
  const connectionsById = new Map(connections.map((connection) => [connection.mcp_id, connection]))
  return dedupe(entries, []).flatMap((entry) => {
    const live: CatalogueCard = {
      id: entry.id,
      ...allowEntry(entry, toolsAllowed),
      environment: 'production',
      connection: connectionsById.get(entry.id),
    }
    if (!supportsSandbox(entry)) return [live]
    return [
      live,
      {
        ...live,
        id: entry.id + sandboxSuffix,
        environment: 'sandbox',
        connection: undefined,
        sandboxConnection: connectionsById.get(entry.id + sandboxSuffix),
      } as const,
    ]
  })
}
