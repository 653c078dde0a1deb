import type { AppDomains } from '#shared/mcp-apps.ts'
import { readStored, writeStored } from '../../../lib/storage.ts'

/** What the user has agreed to: apps of a server, with the origins that they were shown. */
const storageKey = ({ userId, mcpId }: Server) => `juno.app.${userId}/${mcpId}`

interface Server {
  userId: string
  mcpId: string
}

const describe = ({ connect, resource }: AppDomains) =>
  JSON.stringify([connect.toSorted(), resource.toSorted()])

/** Whether apps of the server were shown before in this browser, with the same origins to reach. */
export const hasConsent = (server: Server, domains: AppDomains): boolean =>
  readStored('local', storageKey(server)) === describe(domains)

/** Without storage the user is asked again. */
export const storeConsent = (server: Server, domains: AppDomains): boolean =>
  writeStored('local', storageKey(server), describe(domains))
