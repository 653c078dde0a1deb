import { CfnOutput, Duration } from 'aws-cdk-lib'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { ApiFunction } from './api-function.ts'
import { addHourlySchedule } from './scheduled-invocation.ts'
import { asyncInvoke } from './failed-events.ts'
import {
  credentialEnvironment,
  functionDefaults,
  vaultPrefix,
  type FunctionInput,
} from './function-settings.ts'
import { grantConnectionRefresh, grantSecretRead } from './permissions.ts'
import { existingSecret } from './secret-reference.ts'

/**
 * Adds the refresh of idle connections, whose refresh tokens would expire otherwise. Each is refreshed once a day; what one run does not
 * reach is due in the next hour.
 * @param failedEvents gets the runs that could not be started, and those that failed after all retries
 */
export function addConnectionRefresh(
  scope: Construct,
  { config, data }: FunctionInput,
  failedEvents: Queue,
): void {
  const { table, sealingKey } = data
  const refresh = new ApiFunction(scope, 'ConnectionRefresh', {
    ...functionDefaults(config),
    entry: 'integrations/credentials/daily-refresh.ts',
    description: 'Refreshes the tokens of connections that were idle for a day',
    timeout: Duration.seconds(900),
    environment: { TABLE_NAME: table.tableName, ...credentialEnvironment({ config, data }) },
  })
  grantConnectionRefresh(refresh, { table, vaultPrefix: vaultPrefix(config), sealingKey })
  if (config.providerAppsSecretName)
    grantSecretRead(refresh, existingSecret(scope, config.providerAppsSecretName))
  refresh.configureAsyncInvoke(asyncInvoke(failedEvents))
  addHourlySchedule(scope, 'DailyConnectionRefresh', {
    description: 'The daily refresh of idle connections',
    roleDescription: 'Starts the daily refresh of idle connections',
    minute: 17,
    target: refresh,
    deadLetterQueue: failedEvents,
  })
  // for operators who start it manually
  new CfnOutput(scope, 'ConnectionRefreshFunction', { value: refresh.functionName })
}
