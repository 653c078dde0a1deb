import { credentialVariables, generateCredentials } from '../../infra/local/credentials.ts'
import { startBedrockDouble } from './bedrock/server.ts'
import { reasoningModelName } from './model-server/strict-request.ts'
import { startDemoModel } from './model-server/server.ts'

/** The double of Bedrock with the demo model behind it, and what a process needs in its environment to call it. */
export async function startBedrockWithDemo(region: string) {
  const credentials = generateCredentials()
  const model = await startDemoModel({ tokensPerSecond: 20_000 })
  const double = await startBedrockDouble({
    region,
    credentials: () => credentials,
    model: { ...model, name: reasoningModelName },
  })
  return {
    double,
    environment: { ...credentialVariables(credentials), AWS_ENDPOINT_URL_BEDROCK_RUNTIME: double.url },
    close: async () => {
      await double.close()
      await model.close()
    },
  }
}
