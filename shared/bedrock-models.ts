/**
 * The geographies of AWS's own inference profiles, whose ids begin with one.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html
 */
export const profileId = /^(?:us|us-gov|eu|apac|jp|au|ca|sa|global)\.([a-z][a-z0-9]*\.[A-Za-z0-9.:_-]+)$/

/**
 * The foundation model behind a model id, an inference profile's id, or the ARN of either.
 * @returns undefined where only AWS knows it
 */
export function findFoundationModel(id: string): string | undefined {
  const [, kind, name = ''] = /^arn:[^/]+:([a-z-]+)\/(.+)$/.exec(id) ?? [undefined, 'foundation-model', id]
  if (kind !== 'foundation-model' && kind !== 'inference-profile') return undefined
  return profileId.exec(name)?.[1] ?? name
}
