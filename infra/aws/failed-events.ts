import { Duration } from 'aws-cdk-lib'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'

/**
 * Adds the queue of events that a function was given and could not handle in all its retries: jobs, readings of documents, notifications
 * and scheduled runs. One queue, since each alarm on a queue costs.
 */
export function addFailedEvents(scope: Construct): Queue {
  const failedEvents = new Queue(scope, 'FailedEvents', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  })
  return failedEvents
}

/** A failed event is tried again twice, and then goes to the queue. */
export const asyncInvoke = (failedEvents: Queue) => ({
  retryAttempts: 2,
  maxEventAge: Duration.hours(1),
  onFailure: new SqsDestination(failedEvents),
})
