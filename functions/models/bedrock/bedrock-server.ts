import { defaultProvider } from '@aws-sdk/credential-provider-node'
import type { ModelApi, ModelSettings } from '../model.ts'
import { bedrockFetch } from './bedrock-fetch.ts'

/**
 * The path of each API at Bedrock's runtime endpoint, which AWS recommends for new applications.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/inference-responses-api.html, …/inference-messages-api.html
 */
const paths: Readonly<Record<ModelApi, string>> = {
  responses: '/openai/v1',
  chat: '/openai/v1',
  messages: '/anthropic',
}

/**
 * How an API is reached on Amazon Bedrock: requests carry no key but a signature of this function's role. The endpoint is read as the AWS
 * SDKs read it.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export function bedrockSettings(api: ModelApi): Pick<ModelSettings, 'baseUrl' | 'readKey' | 'fetch'> {
  const region = process.env['AWS_REGION'] ?? 'us-east-1'
  const endpoint =
    process.env['AWS_ENDPOINT_URL_BEDROCK_RUNTIME'] ?? `https://bedrock-runtime.${region}.amazonaws.com`
  const { origin } = new URL(endpoint)
  return {
    baseUrl: `${origin}${paths[api]}`,
    readKey: async () => '',
    fetch: bedrockFetch({ origin, region, credentials: defaultProvider() }),
  }
}
