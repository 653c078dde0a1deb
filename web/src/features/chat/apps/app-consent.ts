import type { AppDomains } from '#shared/mcp-apps.ts'
import { readStored, writeStored } from '../../../lib/storage.ts'

/** The key under which the origins are stored to which the user has agreed. */
const getStorageKey = ({ userId, mcpId }: ConsentScope) => `juno.app.${userId}/${mcpId}`

/** Whose consent it is, and for the apps of which server. */
interface ConsentScope {
  userId: string
  mcpId: string
}

const serializeDomains = ({ connect, resource }: AppDomains) =>
  JSON.stringify([connect.toSorted(), resource.toSorted()])

/** Whether the user has agreed in this browser to apps of the server with these origins. */
export const hasConsent = (scope: ConsentScope, domains: AppDomains): boolean =>
  readStored('local', getStorageKey(scope)) === serializeDomains(domains)

/** Stores the consent. In a browser without storage the user is asked again each time. */
export const storeConsent = (scope: ConsentScope, domains: AppDomains): void =>
  void writeStored('local', getStorageKey(scope), serializeDomains(domains))
