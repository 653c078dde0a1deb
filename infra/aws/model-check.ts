import { CfnOutput } from 'aws-cdk-lib'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { ApiFunction } from './api-function.ts'
import { grantModelDetails } from './bedrock-models.ts'
import { addDailySchedule } from './scheduled-invocation.ts'
import { asyncInvoke } from './failed-events.ts'
import { functionDefaults, type FunctionInput } from './function-settings.ts'
import { grantSecretRead } from './permissions.ts'
import { existingSecret } from './secret-reference.ts'

/**
 * Adds the daily check for models that their server is about to shut down. It reads the model's key, so it is separate from the
 * registry's sync, which reads what others publish.
 * @param failedEvents gets the checks that could not be started, and those that failed after all retries
 */
export function addModelCheck(
  scope: Construct,
  { config, data: { modelKey } }: FunctionInput,
  failedEvents: Queue,
): void {
  const ids = config.models.map(({ id }) => id)
  const check = new ApiFunction(scope, 'ModelCheck', {
    ...functionDefaults(config),
    entry: 'model-check/daily-check.ts',
    description: 'Warns of models that their server is about to shut down',
    memoryMb: 256,
    environment: {
      MODEL_SERVER: config.modelServer === 'bedrock' ? config.modelServer : undefined,
      OPENAI_BASE_URL: config.openaiBaseUrl,
      MODELS: config.openaiModel === undefined ? undefined : JSON.stringify(config.models),
      OPENAI_IMAGE_MODEL: config.openaiImageModel,
      MODEL_KEY_SECRET: modelKey?.secretId,
      MODEL_HEADERS_SECRET: config.modelHeadersSecret,
    },
  })
  if (modelKey) grantSecretRead(check, modelKey)
  else grantModelDetails(check, ids)
  if (config.modelHeadersSecret !== undefined)
    grantSecretRead(check, existingSecret(scope, config.modelHeadersSecret))
  check.configureAsyncInvoke(asyncInvoke(failedEvents))
  addDailySchedule(scope, 'DailyModelCheck', {
    description: 'The daily check for models that are shut down soon',
    roleDescription: 'Starts the daily check of the models',
    hour: 3,
    minute: 47,
    target: check,
    deadLetterQueue: failedEvents,
  })
  // read by `npm run doctor`
  new CfnOutput(scope, 'ModelCheckFunction', { value: check.functionName })
}
