import { profileId } from '#shared/bedrock-models.ts'

const modelId = /^[a-z][a-z0-9]*\.[A-Za-z0-9.:_-]+$/
export const modelArn =
  /^arn:aws[a-z-]*:bedrock:[a-z0-9-]+:(\d{12})?:(foundation-model|inference-profile|application-inference-profile|imported-model|provisioned-model|custom-model-deployment)\/\S+$/

/** Says what is wrong with a key. */
export type AddIssue = (key: string, message: string) => void

interface BedrockSettings {
  openaiBaseUrl?: string | undefined
  openaiModel?: string | undefined
  openaiImageModel?: string | undefined
  transcriptionModel?: string | undefined
  embeddingModel?: string | undefined
  modelKeySecretName?: string | undefined
  modelHeadersSecret?: string | undefined
  models?: readonly { id: string }[] | undefined
}

/** Adds an issue for each setting that is incompatible with `modelServer=bedrock`. */
export function checkBedrockSettings(values: BedrockSettings, addIssue: AddIssue): void {
  if (values.openaiBaseUrl)
    addIssue(
      'openaiBaseUrl',
      'must not be set: modelServer is bedrock, whose address follows from the region',
    )
  if (values.modelKeySecretName)
    addIssue('modelKeySecretName', 'must not be set: modelServer is bedrock, which takes no key but a role')
  if (values.modelHeadersSecret)
    addIssue('modelHeadersSecret', 'must not be set: modelServer is bedrock, which takes no other headers')
  if (values.openaiImageModel)
    addIssue(
      'openaiImageModel',
      'must not be set: modelServer is bedrock, which makes no images over this API',
    )
  if (values.transcriptionModel)
    addIssue(
      'transcriptionModel',
      'must not be set: modelServer is bedrock, which transcribes nothing over this API',
    )
  if (values.embeddingModel)
    addIssue(
      'embeddingModel',
      'must not be set: modelServer is bedrock, which makes no embeddings over this API',
    )
  if (!values.openaiModel && !values.models)
    addIssue(
      'openaiModel',
      'is missing: modelServer is bedrock, whose models differ between regions, such as us.anthropic.claude-sonnet-5 in the United States',
    )
  const ids = [values.openaiModel, ...(values.models ?? []).map(({ id }) => id)]
  for (const id of new Set(ids))
    if (id !== undefined && !profileId.test(id) && !modelId.test(id) && !modelArn.test(id))
      addIssue(
        id === values.openaiModel ? 'openaiModel' : 'models',
        `must name models as Bedrock does, by model id, inference profile id or ARN ("${id}" is not)`,
      )
}
