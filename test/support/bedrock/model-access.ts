import { BedrockError } from './bedrock-response.ts'

/** Why a model of this account cannot be called. */
export type ModelFault = 'denied' | 'not-enabled' | 'retired' | 'throttled'

/** The regions from which the inference profiles of a geography can be called. */
const geographies: Readonly<Record<string, RegExp>> = {
  us: /^(us|ca)-/,
  eu: /^eu-/,
  apac: /^ap-/,
  jp: /^ap-northeast-/,
  au: /^ap-southeast-/,
  global: /./,
}

/**
 * Models that can only be called through an inference profile.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/models-at-a-glance.html: all of Anthropic's, and OpenAI's but for gpt-oss
 */
const needsProfile = /^(anthropic\.|openai\.(?!gpt-oss))/

export type BedrockApi = 'openai' | 'anthropic'

/**
 * Checks that a model can be called in this region with this API. Sentences as in
 * https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html, aws-samples/amazon-bedrock-workshop#100,
 * blog.danielcorin.com/til/bedrock/on-demand-throughput-error (inference profile), BerriAI/litellm#39166 (IAM).
 * @throws BedrockError
 */
export function checkModelAccess(
  id: string,
  { region, api, fault }: { region: string; api: BedrockApi; fault: ModelFault | undefined },
): void {
  const [, geography = '', baseModelId = ''] = /^(?:(us|eu|apac|jp|au|global)\.)?(.+)$/.exec(id) ?? []
  const isKnown = /^[a-z0-9]+\.[a-z0-9.:-]+$/.test(baseModelId)
  if (!isKnown || (geography !== '' && !geographies[geography]?.test(region)))
    throw new BedrockError(400, 'ValidationException', 'The provided model identifier is invalid.')
  if (geography === '' && needsProfile.test(baseModelId))
    throw new BedrockError(
      400,
      'ValidationException',
      `Invocation of model ID ${id} with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.`,
    )
  // https://docs.aws.amazon.com/bedrock/latest/userguide/models-api-compatibility.html
  if (baseModelId.startsWith('anthropic.') !== (api === 'anthropic'))
    throw new BedrockError(400, 'ValidationException', `The model ${id} does not support this API.`)
  if (fault) throw errorsByFault[fault](id, region)
}

const errorsByFault: Readonly<Record<ModelFault, (id: string, region: string) => BedrockError>> = {
  denied: (id, region) =>
    new BedrockError(
      403,
      'AccessDeniedException',
      `User: arn:aws:sts::111122223333:assumed-role/chat/chat is not authorized to perform: bedrock:InvokeModelWithResponseStream on resource: arn:aws:bedrock:${region}:111122223333:inference-profile/${id} because no identity-based policy allows the bedrock:InvokeModelWithResponseStream action`,
    ),
  'not-enabled': () =>
    new BedrockError(
      403,
      'AccessDeniedException',
      "You don't have access to the model with the specified model ID.",
    ),
  retired: () =>
    new BedrockError(
      404,
      'ResourceNotFoundException',
      'This model version has reached the end of its life. Please refer to the AWS documentation for more details.',
    ),
  throttled: () =>
    new BedrockError(429, 'ThrottlingException', 'Too many tokens, please wait before trying again.', 20),
}
