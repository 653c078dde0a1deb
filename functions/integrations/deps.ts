import * as z from 'zod'
import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import type { User } from '../platform/auth/access-token.ts'
import { parseEnv } from '../platform/env.ts'
import { groupLimitsReader } from '../platform/group-limits.ts'
import { toolListRepository } from '../mcp/tool-list-repository.ts'
import { outboundHttp, type OutboundHttp, parseAllowList } from '../platform/net/outbound-http.ts'
import { sealer, type Sealer } from '../platform/secrets/seal.ts'
import { secretsManager, secretStore } from '../platform/secrets/secret-store.ts'
import { openTable, type Table } from '../platform/dynamodb/table.ts'
import { catalogue, type Catalogue } from '../registry/catalogue.ts'
import { snapshotReader } from '../registry/snapshot-reader.ts'
import { syncRepository } from '../registry/sync-repository.ts'
import { allowedToolRepository } from './store/allowed-tool-repository.ts'
import { secretIntentLog } from './vault/intent-log.ts'
import { credentialRepository } from './store/credential-repository.ts'
import { customToolRepository } from './store/custom-tool-repository.ts'
import { connectionRepository } from './store/connection-repository.ts'
import { oauthStateRepository } from './oauth/state-repository.ts'
import { registeredClientRepository } from './store/client-repository.ts'
import { secretsManagerBackend } from './vault/secrets-manager.ts'
import { tableBackend, type TableBackend } from './vault/table.ts'
import { orderBackends, vault, type Vault, vaultKind } from './vault/vault.ts'

type Repositories = ReturnType<typeof openRepositories>

/** Dependencies of the integrations. */
export interface IntegrationDeps extends Repositories {
  vault: Vault & Pick<TableBackend, 'sweep'>
  /** encrypts tokens and the secrets of pending flows */
  sealer: Sealer
  registry: Pick<Catalogue, 'find' | 'get'>
  http: OutboundHttp
  /** what the user's groups allow; all if absent */
  toolsAllowed?: ToolsAllowed | undefined
}

/**
 * @returns a function that gives the dependencies of a call, with what the caller's groups allow
 * @throws Error naming missing environment variables
 */
export function openUserDeps(deps = openDeps()): (user: Pick<User, 'groups'>) => Promise<IntegrationDeps> {
  const groupLimits = groupLimitsReader(openTable(parseEnv({ TABLE_NAME: z.string() }).TABLE_NAME), {})
  return async (user) => ({ ...deps, toolsAllowed: (await groupLimits.find(user)).tools })
}

/** The repositories of connections, and of what is needed to create them. */
export const openRepositories = (table: Table) => ({
  integrations: connectionRepository(table),
  credentials: credentialRepository(table),
  customTools: customToolRepository(table),
  allowedTools: allowedToolRepository(table),
  states: oauthStateRepository(table),
  clients: registeredClientRepository(table),
  toolLists: toolListRepository(table),
})

/** @throws Error naming missing environment variables */
export function openDeps(): IntegrationDeps {
  const env = parseEnv({
    TABLE_NAME: z.string(),
    VAULT: vaultKind,
    VAULT_PREFIX: z.string(),
    SEALING_KEY_SECRET: z.string(),
    OUTBOUND_ALLOW: z.string().optional(),
  })
  const table = openTable(env.TABLE_NAME)
  const credentialSealer = sealer(secretStore(), env.SEALING_KEY_SECRET)
  const tableVault = tableBackend(table, credentialSealer)
  const intents = secretIntentLog(table)
  const secretsVault = intents.withIntents(secretsManagerBackend(secretsManager()))
  const backends = { secrets: secretsVault, table: tableVault }
  const sweep: TableBackend['sweep'] = async (...args) => {
    await tableVault.sweep(...args)
    await intents.sweep(secretsVault, ...args)
  }
  return {
    ...openRepositories(table),
    sealer: credentialSealer,
    vault: { ...vault(orderBackends(env.VAULT, backends), env.VAULT_PREFIX), sweep },
    registry: catalogue({ repository: syncRepository(table), snapshots: snapshotReader(table) }),
    http: outboundHttp({ allow: parseAllowList(env.OUTBOUND_ALLOW) }),
  }
}
