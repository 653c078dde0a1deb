import * as z from 'zod'
import { credentialRepository } from '../integrations/credential-repository.ts'
import { customToolRepository, type CustomToolRepository } from '../integrations/custom-tool-repository.ts'
import { integrationRepository } from '../integrations/integration-repository.ts'
import { readableSecrets } from '../integrations/vault/secrets-manager.ts'
import type { RefreshDeps } from '../integrations/oauth/refresh.ts'
import { tableBackend } from '../integrations/vault/table.ts'
import { orderBackends, vaultReader, vaultKind } from '../integrations/vault/vault.ts'
import { parseEnv } from '../platform/env.ts'
import { outboundHttp, type OutboundHttp, parseAllowList } from '../platform/net/outbound-http.ts'
import { sealer } from '../platform/secrets/seal.ts'
import { secretStore } from '../platform/secrets/secret-store.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { catalogue, type Catalogue } from '../registry/catalogue.ts'
import { snapshotReader } from '../registry/snapshot-reader.ts'
import { syncRepository } from '../registry/sync-repository.ts'

/** Access to users' connections. It cannot connect anything, nor create or delete secrets. */
export interface Connections extends RefreshDeps {
  tools: Pick<CustomToolRepository, 'list'>
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
  const secrets = secretStore()
  const keySealer = sealer(secrets, env.SEALING_KEY_SECRET)
  const backends = {
    // secrets may be cached because they never change: a new value gets a new name
    secrets: readableSecrets((name) => secrets.read(name)),
    table: tableBackend(table, keySealer),
  }
  const allow = parseAllowList(env.OUTBOUND_ALLOW)
  return {
    integrations: integrationRepository(table),
    credentials: credentialRepository(table),
    tools: customToolRepository(table),
    sealer: keySealer,
    vault: vaultReader(orderBackends(env.VAULT, backends)),
    registry: catalogue({ record: syncRepository(table), snapshots: snapshotReader(table) }),
    http: outboundHttp({ allow, timeoutMs: 30_000 }),
    serverHttp: outboundHttp({ allow, timeoutMs: 75_000, maxBytes: 8 * 1024 * 1024 }),
  }
}
