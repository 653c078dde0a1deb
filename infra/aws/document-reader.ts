import { Duration } from 'aws-cdk-lib'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { acknowledge } from './acknowledge.ts'
import { ApiFunction } from './api-function.ts'
import { functionDefaults, type FunctionInput } from './function-settings.ts'
import { grantReader } from './permissions.ts'

/**
 * Adds the two functions that read documents: one knows the user's file and is invoked asynchronously by whoever stores it, the other
 * reads untrusted bytes and has no permissions.
 * @returns also the queue of readings that failed after all retries
 */
export function addDocumentReader(
  scope: Construct,
  { config, data: { table, uploads } }: FunctionInput,
): { reader: ApiFunction; failedReadings: Queue } {
  const defaults = functionDefaults(config)
  const parser = new ApiFunction(scope, 'DocumentParser', {
    ...defaults,
    entry: 'documents/document-parser.ts',
    workers: ['documents/extract-worker.ts', 'documents/index-worker.ts'],
    description: 'Extracts the text of one document, and has no permissions',
    memoryMb: 2_048,
    // shorter than that of the function that calls it
    timeout: Duration.seconds(240),
    environment: { BUCKET_ORIGIN: `https://${uploads.bucketRegionalDomainName}` },
  })
  const reader = new ApiFunction(scope, 'DocumentReader', {
    ...defaults,
    entry: 'documents/reader.ts',
    description: 'Has a stored document parsed, and records what was read',
    memoryMb: 256,
    timeout: Duration.seconds(270),
    environment: {
      TABLE_NAME: table.tableName,
      UPLOADS_BUCKET: uploads.bucketName,
      DOCUMENT_PARSER_FUNCTION: parser.functionName,
    },
  })
  grantReader(reader, { table, uploads, parser })
  const failedReadings = new Queue(scope, 'FailedReadings', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  })
  acknowledge(failedReadings, { SQS3: 'This is the dead-letter queue itself: only people read it.' })
  reader.configureAsyncInvoke({
    retryAttempts: 2,
    maxEventAge: Duration.hours(1),
    onFailure: new SqsDestination(failedReadings),
  })
  return { reader, failedReadings }
}
