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
import { connectionRepository } from '../store/connection-repository.ts'
import type { RefreshDeps } from './refresh.ts'
import { registeredClientRepository } from '../store/client-repository.ts'
import { readableSecrets } from '../vault/secrets-manager.ts'
import { tableBackend } from '../vault/table.ts'
import { orderBackends, vaultKind, vaultReader } from '../vault/vault.ts'

/** The dependencies for using and refreshing connections. They cannot connect anything, nor create or delete secrets. */
export interface UsableConnections extends RefreshDeps {
  registry: Pick<Catalogue, 'find'>
  http: OutboundHttp
}

/** @throws Error naming missing environment variables */
export function openUsableConnections(table: Table): UsableConnections {
  const env = parseEnv({
    VAULT: vaultKind,
    SEALING_KEY_SECRET: z.string(),
    OUTBOUND_ALLOW: z.string().optional(),
  })
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
    http: outboundHttp({ allow: parseAllowList(env.OUTBOUND_ALLOW), timeoutMs: 30_000 }),
  }
}
