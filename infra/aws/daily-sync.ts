import { CfnOutput, Duration, Stack, TimeZone } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler'
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { acknowledge } from './acknowledge.ts'
import { ApiFunction } from './api-function.ts'
import { metricsNamespace, type FunctionInput } from './function-settings.ts'
import { grantSecretRead, grantRegistrySync } from './permissions.ts'
import { existingSecret } from './secret-reference.ts'

/**
 * Adds the daily sync of the registry.
 * @returns the queue of syncs that the scheduler could not start, and of those that failed after all retries
 */
export function addDailySync(scope: Construct, { config, data: { table } }: FunctionInput): Queue {
  const failed = new Queue(scope, 'FailedSyncs', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  })
  acknowledge(failed, { SQS3: 'This is the queue of what failed for good: nothing reads it but people.' })
  const sync = addSyncFunction(scope, config, table)
  // the scheduler only hands the event over: Lambda itself retries a failed sync
  sync.configureAsyncInvoke({
    retryAttempts: 2,
    maxEventAge: Duration.hours(6),
    onFailure: new SqsDestination(failed),
  })
  // started once by the first deployment
  new CfnOutput(scope, 'RegistrySyncFunction', { value: sync.functionName })
  const role = addSchedulerRole(scope, 'DailySyncRole', {
    description: 'Starts the daily refresh of the registry',
    allowed: [
      ['lambda:InvokeFunction', sync.functionArn],
      ['sqs:SendMessage', failed.queueArn],
    ],
  })
  const schedule = new Schedule(scope, 'DailySync', {
    description: 'The daily refresh of the registry',
    schedule: ScheduleExpression.cron({ minute: '17', hour: '3', timeZone: TimeZone.ETC_UTC }),
    target: new LambdaInvoke(sync, {
      retryAttempts: 3,
      maxEventAge: Duration.hours(6),
      deadLetterQueue: failed,
      // the CDK would also allow every version of the function
      role: role.withoutPolicyUpdates(),
    }),
  })
  // the scheduler rejects a role that lacks its permissions
  schedule.node.addDependency(role)
  return failed
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
  grantRegistrySync(sync, table)
  if (githubTokenSecretName) grantSecretRead(sync, existingSecret(scope, githubTokenSecretName))
  return sync
}

/** The role of a schedule, which only schedules of this account may take. */
export function addSchedulerRole(
  scope: Construct,
  id: string,
  {
    description,
    allowed,
  }: { description: string; allowed: readonly (readonly [action: string, arn: string])[] },
): Role {
  const { account } = Stack.of(scope)
  const scheduleGroup = Stack.of(scope).formatArn({
    service: 'scheduler',
    resource: 'schedule-group',
    resourceName: 'default',
  })
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': account, 'aws:SourceArn': scheduleGroup } },
    }),
    description,
  })
  for (const [action, resource] of allowed)
    role.addToPolicy(new PolicyStatement({ actions: [action], resources: [resource] }))
  return role
}
