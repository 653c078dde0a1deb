import { CfnOutput, Duration } from 'aws-cdk-lib'
import { TimeWindow } from 'aws-cdk-lib/aws-scheduler'
import type { Construct } from 'constructs'
import { ApiFunction } from './api-function.ts'
import { addDailySchedule } from './daily-schedule.ts'
import {
  credentialEnvironment,
  functionDefaults,
  vaultPrefix,
  type FunctionInput,
} from './function-settings.ts'
import { grantConnectionRefresh, grantSecretRead } from './permissions.ts'
import { existingSecret } from './secret-reference.ts'

/** Adds the daily refresh of idle connections, whose refresh tokens would expire otherwise. */
export function addConnectionRefresh(scope: Construct, { config, data }: FunctionInput): void {
  const { table, sealingKey } = data
  const refresh = new ApiFunction(scope, 'ConnectionRefresh', {
    ...functionDefaults(config),
    entry: 'integrations/credentials/daily-refresh.ts',
    description: 'Refreshes the tokens of idle connections once a day',
    timeout: Duration.seconds(900),
    environment: { TABLE_NAME: table.tableName, ...credentialEnvironment({ config, data }) },
  })
  grantConnectionRefresh(refresh, { table, vaultPrefix: vaultPrefix(config), sealingKey })
  if (config.providerAppsSecretName)
    grantSecretRead(refresh, existingSecret(scope, config.providerAppsSecretName))
  addDailySchedule(scope, 'DailyConnectionRefresh', {
    description: 'The daily refresh of idle connections',
    roleDescription: 'Starts the daily refresh of idle connections',
    hour: 4,
    minute: 17,
    // deployments do not all call the same providers in the same minute
    timeWindow: TimeWindow.flexible(Duration.hours(1)),
    target: refresh,
  })
  // for operators who start it manually
  new CfnOutput(scope, 'ConnectionRefreshFunction', { value: refresh.functionName })
}
