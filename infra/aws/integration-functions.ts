import { Duration } from 'aws-cdk-lib'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { ApiFunction } from './api-function.ts'
import {
  authEnvironment,
  credentialEnvironment,
  fileEnvironment,
  functionDefaults,
  modelEnvironment,
  scheduleEnvironment,
  vaultPrefix,
  type FunctionInput,
} from './function-settings.ts'
import { grantIntegrations, grantRows, grantSecretRead, grantSend, grantTools } from './permissions.ts'
import { existingSecret } from './secret-reference.ts'

/** Adds the functions of integrations, their tools and the registry. */
export function addIntegrationFunctions(scope: Construct, input: FunctionInput, runQueue: Queue) {
  return {
    integrations: addIntegrations(scope, input),
    oauth: addOauth(scope, input),
    registry: addRegistry(scope, input),
    manualSync: addManualSync(scope, input),
    tools: addTools(scope, input, runQueue),
  }
}

const vaultAccess = ({ config, data: { table, sealingKey } }: FunctionInput) => ({
  table,
  vault: config.vault,
  vaultPrefix: vaultPrefix(config),
  sealingKey,
})

const connectEnvironment = (input: FunctionInput) => ({
  ...authEnvironment(input),
  ...credentialEnvironment(input),
  VAULT_PREFIX: vaultPrefix(input.config),
})

function addIntegrations(scope: Construct, input: FunctionInput): ApiFunction {
  const integrations = new ApiFunction(scope, 'Integrations', {
    ...functionDefaults(input.config),
    entry: 'integrations/handlers.ts',
    description: 'Integrations and custom tools: connect, disconnect, refresh, credentials',
    environment: connectEnvironment(input),
  })
  grantIntegrations(integrations, vaultAccess(input))
  return integrations
}

function addOauth(scope: Construct, input: FunctionInput): ApiFunction {
  const oauth = new ApiFunction(scope, 'Oauth', {
    ...functionDefaults(input.config),
    entry: 'integrations/oauth/handlers.ts',
    description: 'Sign-ins at providers: begin, redeem, refresh',
    environment: { ...connectEnvironment(input), BRAND_NAME: input.config.brandName },
  })
  grantIntegrations(oauth, vaultAccess(input))
  return oauth
}

function addRegistry(scope: Construct, input: FunctionInput): ApiFunction {
  const registry = new ApiFunction(scope, 'Registry', {
    ...functionDefaults(input.config),
    entry: 'registry/handlers.ts',
    description: 'The catalogue of integrations: page, search, status',
    environment: {
      ...authEnvironment(input),
      PROVIDER_APPS_SECRET: input.config.providerAppsSecretName,
    },
  })
  grantRows(registry, input.data.table, 'registry')
  return registry
}

function addManualSync(scope: Construct, input: FunctionInput): ApiFunction {
  const { githubTokenSecretName, outboundAllow } = input.config
  const manualSync = new ApiFunction(scope, 'ManualSync', {
    ...functionDefaults(input.config),
    entry: 'registry/manual-sync.ts',
    description: 'Refreshes the registry of integrations when a user requests it',
    timeout: Duration.seconds(300),
    environment: {
      ...authEnvironment(input),
      GITHUB_TOKEN_SECRET: githubTokenSecretName,
      OUTBOUND_ALLOW: outboundAllow,
    },
  })
  grantRows(manualSync, input.data.table, 'manualSync')
  if (githubTokenSecretName) grantSecretRead(manualSync, existingSecret(scope, githubTokenSecretName))
  return manualSync
}

function addTools(scope: Construct, input: FunctionInput, runQueue: Queue): ApiFunction {
  const tools = new ApiFunction(scope, 'Tools', {
    ...functionDefaults(input.config),
    entry: 'tools/handlers.ts',
    description: 'What connections can do, what the assistant did with them, and schedules',
    environment: {
      ...scheduleEnvironment(runQueue),
      ...modelEnvironment(input.config),
      ...fileEnvironment(input),
      STORAGE_GB_PER_USER: input.config.storageGbPerUser?.toString(),
      ...credentialEnvironment(input),
    },
  })
  grantSend(tools, runQueue)
  grantTools(tools, { ...vaultAccess(input), uploads: input.data.uploads })
  return tools
}
