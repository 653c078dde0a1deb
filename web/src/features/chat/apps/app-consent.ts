import type { AppDomains } from '#shared/mcp-apps.ts'
import { readStored, writeStored } from '../../../lib/storage.ts'

/** The storage key of what the user has agreed to: the apps of a server, with the origins that they connect to. */
const getStorageKey = ({ userId, mcpId }: ConsentScope) => `juno.app.${userId}/${mcpId}`

/** Consent is given by a user for the apps of a server. */
interface ConsentScope {
  userId: string
  mcpId: string
}

const serializeDomains = ({ connect, resource }: AppDomains) =>
  JSON.stringify([connect.toSorted(), resource.toSorted()])

/** Whether the user has agreed in this browser to apps of the server with these origins. */
export const hasConsent = (scope: ConsentScope, domains: AppDomains): boolean =>
  readStored('local', getStorageKey(scope)) === serializeDomains(domains)

/** Stores the consent. In a browser without storage the user is asked again. */
export const storeConsent = (scope: ConsentScope, domains: AppDomains): boolean =>
  writeStored('local', getStorageKey(scope), serializeDomains(domains))
