import { openConnections } from '../integrations/credentials/open-connections.ts'
import { allowedToolRepository } from '../integrations/store/allowed-tool-repository.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { type ConnectionRows, loadOfferedTools, type OfferOptions } from './offer/offered-tools.ts'
import { remoteServers } from './servers/remote-servers.ts'

// the chat loads this file, as one chunk, with the first user who has connected something (ADR 0035)

/** Opens what lists and calls tools. @throws Error naming missing environment variables */
export function openOffer(table: Table) {
  const connections = openConnections(table)
  const servers = remoteServers(connections.serverHttp, table)
  const deps = { connections, alwaysAllowedTools: allowedToolRepository(table), servers }
  return {
    load: (sub: string, connected: ConnectionRows, options: OfferOptions) =>
      loadOfferedTools(deps, sub, connected, options),
    takeChanges: servers.takeChanges,
  }
}
