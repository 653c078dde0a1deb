import { Duration } from 'aws-cdk-lib'
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { ApiFunction } from './api-function.ts'
import type { Config } from './config.ts'
import { addMinuteSchedule } from './scheduled-invocation.ts'
import { functionDefaults, scheduleEnvironment, type FunctionInput } from './function-settings.ts'
import { signInEnvironment } from './identity-providers.ts'
import { grantAccountLookup, grantInvoke, grantRows, grantSend } from './permissions.ts'
import { addReplies } from './product-functions.ts'

const maxReceives = 3
/** 1,000 runs of 30 seconds begin within a quarter of an hour. */
const runsAtOnce = 40

/**
 * Adds the queue of scheduled runs.
 * @param replySeconds after which a run ends
 * @param failedEvents gets the runs that no delivery could begin or settle
 */
export const addRunQueue = (
  scope: Construct,
  { replySeconds }: Pick<Config, 'replySeconds'>,
  failedEvents: Queue,
): Queue =>
  new Queue(scope, 'ScheduledRuns', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    // a message whose run did not end comes again after it
    visibilityTimeout: Duration.seconds(replySeconds + 60),
    // the dispatcher has given a run up by then
    retentionPeriod: Duration.hours(2),
    deadLetterQueue: { queue: failedEvents, maxReceiveCount: maxReceives },
  })

/** Adds the dispatcher, which hands over what is due each minute. */
export function addDispatcher(
  scope: Construct,
  { config, data: { table }, notifier }: FunctionInput & { notifier: ApiFunction },
  queue: Queue,
): void {
  const dispatcher = new ApiFunction(scope, 'ScheduleDispatcher', {
    ...functionDefaults(config),
    entry: 'schedules/dispatcher.ts',
    description: 'Hands scheduled runs over to their queue, once a minute',
    memoryMb: 256,
    timeout: Duration.seconds(55),
    // 43,800 calls a month without anybody waiting: its log says as much
    isTraced: false,
    environment: {
      TABLE_NAME: table.tableName,
      NOTIFIER_FUNCTION: notifier.functionName,
      ...scheduleEnvironment(queue),
    },
  })
  grantRows(dispatcher, table, 'scheduleDispatcher')
  grantSend(dispatcher, queue)
  // tells people that a run was left out
  grantInvoke(dispatcher, notifier)
  addMinuteSchedule(scope, 'MinuteDispatch', {
    description: 'Looks each minute for scheduled runs that are due',
    roleDescription: 'Starts the dispatcher of scheduled runs',
    target: dispatcher,
  })
}

/** Adds the worker, which runs what was handed over, as the chat replies. */
export function addScheduleWorker(
  scope: Construct,
  input: FunctionInput & { reader: ApiFunction; parser: ApiFunction; notifier: ApiFunction },
  queue: Queue,
): ApiFunction {
  const { config, userPool } = input
  const worker = addReplies(scope, input, {
    id: 'ScheduleWorker',
    entry: 'schedules/runs/worker.ts',
    description: 'Runs what people have scheduled: replies with nobody present',
    role: 'scheduleWorker',
    environment: {
      USER_POOL_ID: userPool.userPoolId,
      ...(config.requireTwoFactor && { REQUIRE_TWO_FACTOR: 'on' }),
      ...signInEnvironment(config),
    },
  })
  grantAccountLookup(worker, userPool)
  worker.addEventSource(new SqsEventSource(queue, { batchSize: 1, maxConcurrency: runsAtOnce }))
  return worker
}
