import { Duration } from 'aws-cdk-lib'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { ApiFunction } from './api-function.ts'
import { asyncInvoke } from './failed-events.ts'
import { functionDefaults, type FunctionInput } from './function-settings.ts'
import { grantAccountLookup, grantEmbedder, grantReader, grantSecretRead } from './permissions.ts'
import { providerEnvironment } from './identity-providers.ts'
import { isolateFunction } from './isolated-network.ts'
import { existingSecret } from './secret-reference.ts'

/**
 * Adds the function that makes vectors of texts, if a model for them is named. It alone of those that handle documents has the model's key.
 * @param failedEvents gets the texts whose vectors failed after all retries
 */
function addEmbedder(
  scope: Construct,
  { config, data: { table, uploads, modelKey }, userPool }: FunctionInput,
  failedEvents: Queue,
): ApiFunction | undefined {
  if (config.embeddingModel === undefined) return undefined
  const embedder = new ApiFunction(scope, 'DocumentEmbedder', {
    ...functionDefaults(config),
    entry: 'embeddings/embedder.ts',
    description: 'Makes vectors of the text of a document, for the search by meaning',
    timeout: Duration.minutes(15),
    environment: {
      TABLE_NAME: table.tableName,
      UPLOADS_BUCKET: uploads.bucketName,
      EMBEDDING_MODEL: config.embeddingModel,
      OPENAI_BASE_URL: config.openaiBaseUrl,
      MODEL_KEY_SECRET: modelKey?.secretId,
      MODEL_HEADERS_SECRET: config.modelHeadersSecret,
      RATE_LIMIT_FACTOR: String(config.rateLimitFactor),
      TOKENS_PER_DAY: config.tokensPerDay?.toString(),
      SITE_TOKENS_PER_DAY: config.siteTokensPerDay.toString(),
      USER_POOL_ID: userPool.userPoolId,
      ...providerEnvironment(config),
    },
  })
  grantEmbedder(embedder, { table, uploads, modelKey })
  grantAccountLookup(embedder, userPool)
  if (config.modelHeadersSecret !== undefined)
    grantSecretRead(embedder, existingSecret(scope, config.modelHeadersSecret))
  embedder.configureAsyncInvoke(asyncInvoke(failedEvents))
  return embedder
}

/**
 * Adds the two functions that read documents: one knows the user's file and is invoked asynchronously by whoever stores it, the other
 * reads untrusted bytes and has no permissions.
 * @param failedEvents gets the readings that failed after all retries
 */
export function addDocumentReader(
  scope: Construct,
  input: FunctionInput,
  failedEvents: Queue,
): { reader: ApiFunction; parser: ApiFunction } {
  const {
    config,
    data: { table, uploads },
  } = input
  const defaults = functionDefaults(config)
  const parser = new ApiFunction(scope, 'DocumentParser', {
    ...defaults,
    entry: 'documents/document-parser.ts',
    workers: [
      'documents/extract-child.ts',
      'documents/index-child.ts',
      'documents/scale-child.ts',
      'documents/watch-thread.ts',
      'documents/tables/query-child.ts',
    ],
    description: 'Extracts the text of a document, calculates with tables; has no permissions',
    memoryMb: 2_048,
    // shorter than that of the function that calls it
    timeout: Duration.minutes(10),
    environment: { BUCKET_ORIGIN: `https://${uploads.bucketRegionalDomainName}` },
  })
  if (config.isolateParser) isolateFunction(parser, 'DocumentParser', uploads.arnForObjects('*'))
  const embedder = addEmbedder(scope, input, failedEvents)
  const reader = new ApiFunction(scope, 'DocumentReader', {
    ...defaults,
    entry: 'documents/reader.ts',
    description: 'Has a stored document parsed, and records what was read',
    memoryMb: 256,
    timeout: Duration.seconds(630),
    environment: {
      TABLE_NAME: table.tableName,
      UPLOADS_BUCKET: uploads.bucketName,
      DOCUMENT_PARSER_FUNCTION: parser.functionName,
      DOCUMENT_EMBEDDER_FUNCTION: embedder?.functionName,
    },
  })
  grantReader(reader, { table, uploads, parser, embedder })
  reader.configureAsyncInvoke(asyncInvoke(failedEvents))
  return { reader, parser }
}
