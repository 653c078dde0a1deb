import { CfnOutput, Duration, TimeZone } from 'aws-cdk-lib'
import { Schedule, ScheduleExpression, TimeWindow } from 'aws-cdk-lib/aws-scheduler'
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets'
import type { Construct } from 'constructs'
import { ApiFunction } from './api-function.ts'
import { addSchedulerRole } from './daily-sync.ts'
import {
  credentialEnvironment,
  functionDefaults,
  vaultPrefix,
  type FunctionInput,
} from './function-settings.ts'
import { grantConnectionRefresh, grantSecretRead } from './permissions.ts'
import { existingSecret } from './secret-reference.ts'

/** Adds the daily refresh of connections that nobody uses, whose refresh tokens would expire otherwise. */
export function addConnectionRefresh(scope: Construct, { config, data }: FunctionInput): void {
  const { table, sealingKey } = data
  const refresh = new ApiFunction(scope, 'ConnectionRefresh', {
    ...functionDefaults(config),
    entry: 'integrations/oauth/daily-refresh.ts',
    description: 'Refreshes the tokens of idle connections once a day',
    timeout: Duration.seconds(900),
    environment: { TABLE_NAME: table.tableName, ...credentialEnvironment({ config, data }) },
  })
  grantConnectionRefresh(refresh, { table, vaultPrefix: vaultPrefix(config), sealingKey })
  if (config.providerAppsSecretName)
    grantSecretRead(refresh, existingSecret(scope, config.providerAppsSecretName))
  const role = addSchedulerRole(scope, 'DailyConnectionRefreshRole', {
    description: 'Starts the daily refresh of idle connections',
    allowed: [['lambda:InvokeFunction', refresh.functionArn]],
  })
  const schedule = new Schedule(scope, 'DailyConnectionRefresh', {
    description: 'The daily refresh of idle connections',
    schedule: ScheduleExpression.cron({ minute: '17', hour: '4', timeZone: TimeZone.ETC_UTC }),
    // deployments do not all call the same providers in the same minute
    timeWindow: TimeWindow.flexible(Duration.hours(1)),
    // what a run leaves is due the next day: nothing is kept of a failed one
    target: new LambdaInvoke(refresh, {
      retryAttempts: 3,
      maxEventAge: Duration.hours(6),
      role: role.withoutPolicyUpdates(),
    }),
  })
  schedule.node.addDependency(role)
  // for operators who start it by hand
  new CfnOutput(scope, 'ConnectionRefreshFunction', { value: refresh.functionName })
}
