import { openConnections } from '../integrations/credentials/open-connections.ts'
import { allowedToolRepository } from '../integrations/store/allowed-tool-repository.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { ledgerRepository } from './calls/ledger-repository.ts'
import { type ConnectionRows, loadOfferedTools, type OfferOptions } from './offer/offered-tools.ts'
import { serverTools } from './offer/server-tools.ts'

// the chat loads this file, as one chunk, with the first user who has connected something or with the first call (ADR 0035)

/** Opens what lists and calls tools. @throws Error naming missing environment variables */
export function openOffer(table: Table) {
  const connections = openConnections(table)
  const deps = {
    connections,
    alwaysAllowedTools: allowedToolRepository(table),
    servers: serverTools(connections.serverHttp, table),
  }
  return {
    load: (sub: string, connected: ConnectionRows, options: OfferOptions) =>
      loadOfferedTools(deps, sub, connected, options),
    takeChanges: deps.servers.takeChanges,
  }
}

/** What calls leave behind. */
export const openCallRecords = (table: Table) => ({
  allowedTools: allowedToolRepository(table),
  ledger: ledgerRepository(table),
})
