import { Duration } from 'aws-cdk-lib'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { ApiFunction } from './api-function.ts'
import { functionDefaults, type FunctionInput } from './function-settings.ts'
import { grantReader } from './permissions.ts'

/**
 * Adds the two functions that read documents: one knows the user's file and is invoked asynchronously by whoever stores it, the other
 * reads untrusted bytes and has no permissions.
 * @param failedEvents gets the readings that failed after all retries
 */
export function addDocumentReader(
  scope: Construct,
  { config, data: { table, uploads } }: FunctionInput,
  failedEvents: Queue,
): { reader: ApiFunction; parser: ApiFunction } {
  const defaults = functionDefaults(config)
  const parser = new ApiFunction(scope, 'DocumentParser', {
    ...defaults,
    entry: 'documents/document-parser.ts',
    workers: ['documents/extract-worker.ts', 'documents/index-worker.ts', 'documents/tables/query-child.ts'],
    description: 'Extracts the text of a document, calculates with tables; has no permissions',
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
  reader.configureAsyncInvoke({
    retryAttempts: 2,
    maxEventAge: Duration.hours(1),
    onFailure: new SqsDestination(failedEvents),
  })
  return { reader, parser }
}
