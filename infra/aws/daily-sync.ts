import { CfnOutput, Duration } from 'aws-cdk-lib'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { ApiFunction } from './api-function.ts'
import { addDailySchedule } from './scheduled-invocation.ts'
import { asyncInvoke } from './failed-events.ts'
import { metricsNamespace, type FunctionInput } from './function-settings.ts'
import { grantRows, grantSecretRead } from './permissions.ts'
import { existingSecret } from './secret-reference.ts'

/**
 * Adds the daily sync of the registry.
 * @param failedEvents gets the syncs that the scheduler could not start, and those that failed after all retries
 */
export function addDailySync(
  scope: Construct,
  { config, data: { table } }: FunctionInput,
  failedEvents: Queue,
): void {
  const sync = addSyncFunction(scope, config, table)
  // the scheduler only hands the event over: Lambda itself retries a failed sync
  sync.configureAsyncInvoke(asyncInvoke(failedEvents))
  // started once by the first deployment
  new CfnOutput(scope, 'RegistrySyncFunction', { value: sync.functionName })
  addDailySchedule(scope, 'DailySync', {
    description: 'The daily refresh of the registry',
    roleDescription: 'Starts the daily refresh of the registry',
    hour: 3,
    minute: 17,
    target: sync,
    deadLetterQueue: failedEvents,
  })
}

function addSyncFunction(
  scope: Construct,
  config: FunctionInput['config'],
  table: FunctionInput['data']['table'],
): ApiFunction {
  const { githubTokenSecretName, outboundAllow, logRetentionDays } = config
  const sync = new ApiFunction(scope, 'RegistrySync', {
    entry: 'registry/daily-sync.ts',
    description: 'Refreshes the registry of integrations once a day and records the result',
    memoryMb: 512,
    timeout: Duration.seconds(900),
    logRetentionDays,
    metricsNamespace: metricsNamespace(config),
    environment: {
      TABLE_NAME: table.tableName,
      GITHUB_TOKEN_SECRET: githubTokenSecretName,
      OUTBOUND_ALLOW: outboundAllow,
    },
  })
  grantRows(sync, table, 'registrySync')
  if (githubTokenSecretName) grantSecretRead(sync, existingSecret(scope, githubTokenSecretName))
  return sync
}
