import * as z from 'zod'
import { parseEnv } from '../../platform/env.ts'
import { outboundHttp, type OutboundHttp, parseAllowList } from '../../platform/net/outbound-http.ts'
import { sealer } from '../../platform/secrets/seal.ts'
import { secretStore } from '../../platform/secrets/secret-store.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { catalogue, type Catalogue } from '../../registry/catalogue.ts'
import { snapshotReader } from '../../registry/snapshot-reader.ts'
import { syncRepository } from '../../registry/sync-repository.ts'
import { credentialRepository } from '../store/credential-repository.ts'
import { customToolRepository, type CustomToolRepository } from '../store/custom-tool-repository.ts'
import { connectionRepository } from '../store/connection-repository.ts'
import type { RefreshDeps } from './refresh.ts'
import { registeredClientRepository } from '../store/client-repository.ts'
import { readableSecrets } from '../vault/secrets-manager.ts'
import { tableBackend } from '../vault/table.ts'
import { orderBackends, vaultKind, vaultReader } from '../vault/vault.ts'

/** What using and refreshing connections takes. It cannot connect anything, nor create or delete secrets. */
export interface Connections extends RefreshDeps {
  customTools: Pick<CustomToolRepository, 'list'>
  registry: Pick<Catalogue, 'find'>
  http: OutboundHttp
  /** for users' servers, with a longer timeout and larger responses */
  serverHttp: OutboundHttp
}

/** @throws Error naming missing environment variables */
export function openConnections(table: Table): Connections {
  const env = parseEnv({
    VAULT: vaultKind,
    SEALING_KEY_SECRET: z.string(),
    OUTBOUND_ALLOW: z.string().optional(),
  })
  const allow = parseAllowList(env.OUTBOUND_ALLOW)
  const secrets = secretStore()
  const credentialSealer = sealer(secrets, env.SEALING_KEY_SECRET)
  const backends = {
    // secrets may be cached because they never change: a new value gets a new name
    secrets: readableSecrets((name) => secrets.read(name)),
    table: tableBackend(table, credentialSealer),
  }
  return {
    integrations: connectionRepository(table),
    credentials: credentialRepository(table),
    clients: registeredClientRepository(table),
    sealer: credentialSealer,
    vault: vaultReader(orderBackends(env.VAULT, backends)),
    registry: catalogue({ repository: syncRepository(table), snapshots: snapshotReader(table) }),
    customTools: customToolRepository(table),
    http: outboundHttp({ allow, timeoutMs: 30_000 }),
    serverHttp: outboundHttp({ allow, timeoutMs: 75_000, maxBytes: 8 * 1024 * 1024 }),
  }
}
