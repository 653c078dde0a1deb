import { ArnFormat, Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { acknowledgeWildcard } from './acknowledge.ts'
import type { ApiFunction } from './api-function.ts'
import { findFoundationModel, profileId } from '#shared/bedrock-models.ts'
import { modelArn } from './bedrock-settings.ts'

/** Replies use streams only; the other action is what Bedrock checks first on some of its APIs. */
const actions = ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream']

/**
 * Lets a function call these models on Bedrock, and no others. An inference profile takes two grants: the profile itself, and, through the
 * profile only, its model in every region that it may choose. For a global profile these are this region and the ARN without a region.
 * @see https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-prereq.html
 * @see https://docs.aws.amazon.com/bedrock/latest/userguide/global-cross-region-inference.html
 */
export function grantModels(fn: ApiFunction, ids: readonly string[]): void {
  const stack = Stack.of(fn)
  const foundationModel = (region: string, id: string) =>
    `arn:${stack.partition}:bedrock:${region}::foundation-model/${id}`
  for (const id of new Set(ids)) {
    const [, baseModelId] = profileId.exec(id) ?? []
    if (modelArn.test(id)) grantArn(fn, id)
    else if (baseModelId === undefined) grant(fn, [foundationModel(stack.region, id)])
    else {
      const profile = stack.formatArn({
        service: 'bedrock',
        resource: 'inference-profile',
        resourceName: id,
        arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
      })
      grant(fn, [profile])
      const regions = id.startsWith('global.') ? [stack.region, ''] : ['*']
      grant(
        fn,
        regions.map((region) => foundationModel(region, baseModelId)),
        profile,
      )
    }
  }

  function grantArn(grantee: ApiFunction, arn: string): void {
    grant(grantee, [arn])
    const [, kind, name = ''] = /:([a-z-]+)\/(.+)$/.exec(arn) ?? []
    // whose model only AWS knows
    if (kind === 'application-inference-profile') grant(grantee, [foundationModel('*', '*')], arn)
    if (kind === 'inference-profile')
      grant(grantee, [foundationModel('*', profileId.exec(name)?.[1] ?? '*')], arn)
  }
}

/** Lets a function read the end dates of these models. */
export function grantModelDetails(fn: ApiFunction, ids: readonly string[]): void {
  const { partition, region } = Stack.of(fn)
  const models = new Set(ids.flatMap((id) => findFoundationModel(id) ?? []))
  if (models.size === 0) return
  fn.addToRolePolicy(
    new PolicyStatement({
      actions: ['bedrock:GetFoundationModel'],
      resources: [...models].map((id) => `arn:${partition}:bedrock:${region}::foundation-model/${id}`),
    }),
  )
}

/** @param profile the inference profile that the models may only be called through */
function grant(fn: ApiFunction, resources: string[], profile?: string): void {
  fn.addToRolePolicy(
    new PolicyStatement({
      actions,
      resources,
      ...(profile && { conditions: { StringEquals: { 'bedrock:InferenceProfileArn': profile } } }),
    }),
  )
  if (!fn.role) throw new Error(`${fn.node.path} has no role of its own`)
  for (const resource of resources.filter((arn) => arn.includes('*')))
    acknowledgeWildcard(
      fn.role,
      resource,
      'An inference profile chooses the region of each request, from a list that AWS extends; the condition allows the model through this profile only.',
    )
}
