import { needsEdge } from '../../aws/edge-region.ts'
import { ok, problem, type Finding } from './finding.ts'
import type { DeployedStack, DoctorInput } from './stacks.ts'

/** Checks that stacks of these names belong to this product: two brands and stages, or two regions, can have the same name. */
export async function checkNames({ config, region, stacks }: DoctorInput): Promise<Finding[]> {
  const deployedStacks = await stacks
  const foreign = deployedStacks.filter(
    (one) => !hasTag(one, 'brand', config.brand) || !hasTag(one, 'stage', config.stage),
  )
  if (foreign.length > 0)
    return foreign.map((one) =>
      problem(
        `${one.name} belongs to brand ${readTag(one, 'brand')}, stage ${readTag(one, 'stage')}, not to ${config.brand}, ${config.stage}: this deployment would overwrite it.`,
        'Choose another stage or brandName.',
      ),
    )
  const edge = deployedStacks.find(({ name }) => name === `${config.prefix}-edge`)
  if (edge && deployedStacks.length === 1 && needsEdge(config))
    return [
      problem(
        `${edge.name} is in ${edge.region}, and no other stack of ${config.prefix} is in ${region}: it belongs to a deployment in another region, whose certificate or WAF this one would replace.`,
        `Set the region of that deployment (export AWS_REGION=…), or choose another stage. If that deployment is gone: delete the stack in the console of CloudFormation, ${edge.region}.`,
      ),
    ]
  return [ok(`stacks called ${config.prefix}-… are this product's, or none's.`)]
}

const readTag = ({ stack }: DeployedStack, key: string) =>
  stack.Tags?.find(({ Key }) => Key === key)?.Value ?? 'unknown'

/** A stack that was never deployed has no tags. */
const hasTag = (one: DeployedStack, key: string, value: string) =>
  ['unknown', value].includes(readTag(one, key))
