import { Duration } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { ApiFunction } from './api-function.ts'
import { addMinuteSchedule } from './daily-schedule.ts'
import { functionDefaults, type FunctionInput } from './function-settings.ts'
import { grantRows, grantSend } from './permissions.ts'

/** Everybody's eight o'clock is spread over so many minutes. */
export const spreadMinutes = 5
/** A run takes as long as a reply; a message whose run did not end comes again after it. */
const runSeconds = 300
const maxReceives = 3

/**
 * Adds the queue of scheduled runs.
 * @param failedEvents gets the runs that no delivery could begin or settle
 */
export const addRunQueue = (scope: Construct, failedEvents: Queue): Queue =>
  new Queue(scope, 'ScheduledRuns', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    visibilityTimeout: Duration.seconds(runSeconds + 60),
    // the dispatcher has given a run up by then
    retentionPeriod: Duration.hours(2),
    deadLetterQueue: { queue: failedEvents, maxReceiveCount: maxReceives },
  })

/** Variables of functions that hand over runs. */
export const scheduleEnvironment = (queue: Queue) => ({
  SCHEDULE_QUEUE_URL: queue.queueUrl,
  SCHEDULE_SPREAD_MINUTES: String(spreadMinutes),
})

/** Adds the dispatcher, which hands over what is due each minute. */
export function addDispatcher(scope: Construct, { config, data: { table } }: FunctionInput, queue: Queue): void {
  const dispatcher = new ApiFunction(scope, 'ScheduleDispatcher', {
    ...functionDefaults(config),
    entry: 'schedules/dispatcher.ts',
    description: 'Hands scheduled runs over to their queue, once a minute',
    memoryMb: 256,
    timeout: Duration.seconds(55),
    environment: { TABLE_NAME: table.tableName, ...scheduleEnvironment(queue) },
  })
  grantRows(dispatcher, table, 'scheduleDispatcher')
  grantSend(dispatcher, queue)
  addMinuteSchedule(scope, 'MinuteDispatch', {
    description: 'Looks each minute for scheduled runs that are due',
    roleDescription: 'Starts the dispatcher of scheduled runs',
    target: dispatcher,
  })
}
