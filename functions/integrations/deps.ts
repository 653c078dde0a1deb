import * as z from 'zod'
import { parseEnv } from '../platform/env.ts'
import { outboundHttp, type OutboundHttp, parseAllowList } from '../platform/net/outbound-http.ts'
import { sealer, type Sealer } from '../platform/secrets/seal.ts'
import { secretsManager, secretStore } from '../platform/secrets/secret-store.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { catalogue, type Catalogue } from '../registry/catalogue.ts'
import { snapshotReader } from '../registry/snapshot-reader.ts'
import { syncRepository } from '../registry/sync-repository.ts'
import { allowedRepository, type AllowedRepository } from './allowed-repository.ts'
import { announcedSecrets } from './vault/intent-log.ts'
import { credentialRepository, type CredentialRepository } from './credential-repository.ts'
import { customToolRepository, type CustomToolRepository } from './custom-tool-repository.ts'
import { integrationRepository, type IntegrationRepository } from './integration-repository.ts'
import { oauthStateRepository, type OAuthStateRepository } from './oauth/state-repository.ts'
import { registeredClientRepository, type RegisteredClientRepository } from './oauth/registration.ts'
import { secretsPlace } from './vault/secrets-manager.ts'
import { tablePlace, type TablePlace } from './vault/table.ts'
import { inOrder, vault, type Vault, vaultKind } from './vault/vault.ts'

/** Everything that integrations stand on. */
export interface Stores {
  integrations: IntegrationRepository
  credentials: CredentialRepository
  tools: CustomToolRepository
  /** tools that run without approval */
  allowed: AllowedRepository
  states: OAuthStateRepository
  clients: RegisteredClientRepository
  vault: Vault & Pick<TablePlace, 'sweep'>
  /** for tokens, and for the secrets of sign-ins under way */
  sealer: Sealer
  registry: Pick<Catalogue, 'one' | 'find'>
  http: OutboundHttp
}

/** @throws Error naming what the environment lacks */
export function openStores(): Stores {
  const env = parseEnv({
    TABLE_NAME: z.string(),
    VAULT: vaultKind,
    VAULT_PREFIX: z.string(),
    SEALING_KEY_SECRET: z.string(),
    OUTBOUND_ALLOW: z.string().optional(),
  })
  const table = openTable(env.TABLE_NAME)
  const keySealer = sealer(secretStore(), env.SEALING_KEY_SECRET)
  const inTable = tablePlace(table, keySealer)
  const announced = announcedSecrets(table)
  const inSecrets = announced.placing(secretsPlace(secretsManager()))
  const places = { secrets: inSecrets, table: inTable }
  const sweep: TablePlace['sweep'] = async (...what) => {
    await inTable.sweep(...what)
    await announced.sweep(inSecrets, ...what)
  }
  return {
    integrations: integrationRepository(table),
    credentials: credentialRepository(table),
    tools: customToolRepository(table),
    allowed: allowedRepository(table),
    states: oauthStateRepository(table),
    clients: registeredClientRepository(table),
    sealer: keySealer,
    vault: { ...vault(inOrder(env.VAULT, places), env.VAULT_PREFIX), sweep },
    registry: catalogue({ record: syncRepository(table), snapshots: snapshotReader(table) }),
    http: outboundHttp({ allow: parseAllowList(env.OUTBOUND_ALLOW) }),
  }
}
