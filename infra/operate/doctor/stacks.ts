import { CloudFormationClient, GetTemplateCommand, type Stack } from '@aws-sdk/client-cloudformation'
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { relative } from 'node:path'
import type { Config } from '../../aws/config.ts'
import { compareSettings } from '../../aws/deployed-settings.ts'
import { edgeRegion, needsEdge } from '../../aws/edge-region.ts'
import { stageFile } from '../../aws/stage-file.ts'
import { describeStack } from '../stage.ts'
import { ok, problem, warning, type Finding } from './finding.ts'
import { clientOptions } from './identity.ts'

/** Where to deploy, and the stacks that exist there. */
export interface DoctorInput {
  readonly config: Config
  readonly region: string
  readonly account: string
  readonly stacks: Promise<readonly DeployedStack[]>
  /** how many people the operator asks about; undefined: not known */
  readonly users?: number | undefined
}

export interface StackLocation {
  readonly name: string
  readonly region: string
}

export interface DeployedStack extends StackLocation {
  readonly stack: Stack
}

/** The stacks of a product, in the order of deployment (infra/aws/stacks.ts). */
export const listStackLocations = ({ prefix }: Config, region: string): StackLocation[] => [
  { name: `${prefix}-data`, region },
  { name: `${prefix}-auth`, region },
  { name: `${prefix}-api`, region },
  { name: `${prefix}-edge`, region: edgeRegion },
  { name: `${prefix}-web`, region },
]

/** The product's stacks that exist. */
export async function fetchStacks(config: Config, region: string): Promise<DeployedStack[]> {
  const found = await Promise.all(
    listStackLocations(config, region).map(async (location) => {
      const stack = await describeStack(
        new CloudFormationClient(clientOptions(location.region)),
        location.name,
      )
      return stack ? [{ ...location, stack }] : []
    }),
  )
  return found.flat()
}

/** The value of an output, from the first stack that has it. */
export const findOutput = (stacks: readonly DeployedStack[], key: string) =>
  stacks.flatMap(({ stack }) => stack.Outputs ?? []).find(({ OutputKey }) => OutputKey === key)?.OutputValue

/** Whether the first deployment of a stack has created its resources, and not removed them again after a failure. */
export const isCreated = ({ stack: { StackStatus } }: DeployedStack) =>
  StackStatus !== undefined && StackStatus !== 'ROLLBACK_COMPLETE' && StackStatus !== 'REVIEW_IN_PROGRESS'

/** Checks that each stack is in a state that CloudFormation can update. */
export async function checkStacks({ config, stacks }: DoctorInput): Promise<Finding[]> {
  const deployedStacks = await stacks
  if (deployedStacks.length === 0)
    return [ok(`none yet: this will be the first deployment of ${config.prefix}.`)]
  const bad = deployedStacks.flatMap((one) => checkStatus(one) ?? [])
  if (bad.length > 0) return bad
  return [ok(deployedStacks.map(({ name, stack }) => `${name} ${stack.StackStatus}`).join(', ') + '.')]
}

function checkStatus({ name, region, stack }: DeployedStack): Finding | undefined {
  const status = stack.StackStatus ?? 'unknown'
  const found = `${name} is ${status}.`
  const cdk = (command: string) => `npx cdk ${command} ${name}, with the same -c as for the deployment`
  switch (status) {
    // a change set that was never executed; the next deployment creates another one
    case 'REVIEW_IN_PROGRESS':
      return undefined
    case 'ROLLBACK_COMPLETE':
      return warning(
        `${name} is ROLLBACK_COMPLETE: its first deployment failed, and it can only be deleted.`,
        'Nothing: the CDK deletes it before it creates it again.',
      )
    case 'ROLLBACK_FAILED':
    case 'DELETE_FAILED':
      return problem(
        found,
        `Its events (console of CloudFormation, ${region}) tell which resource could not be deleted; remove what is in its way, then ${cdk('destroy --exclusively')}`,
      )
    case 'CREATE_FAILED':
    case 'UPDATE_FAILED':
      return problem(found, cdk('rollback'))
    case 'UPDATE_ROLLBACK_FAILED':
      return problem(
        found,
        `${cdk('rollback')} (and --orphan <id> for a resource that cannot be rolled back any more)`,
      )
  }
  if (!status.endsWith('_IN_PROGRESS')) return undefined
  return problem(
    `${found} Somebody is changing it at this moment.`,
    `Wait until it is over (the console of CloudFormation, ${region}, shows how far it is), then run npm run doctor again.`,
  )
}

/**
 * Finds data that an earlier deployment of the same name left behind. Its generated names do not collide with a new deployment, which
 * does not reuse the data either.
 */
export async function checkLeftovers({ config, region, stacks }: DoctorInput): Promise<Finding | undefined> {
  const dataStack = `${config.prefix}-data`
  const deployedStacks = await stacks
  // retained resources also remain after a first deployment that failed
  if (deployedStacks.some((one) => one.name === dataStack && isCreated(one))) return undefined
  const dynamo = new DynamoDBClient(clientOptions(region))
  const { TableNames = [] } = await dynamo.send(
    new ListTablesCommand({ ExclusiveStartTableName: `${dataStack}-`, Limit: 10 }),
  )
  const tables = TableNames.filter((name) => name.startsWith(`${dataStack}-`))
  if (tables.length === 0) return ok('none of an earlier deployment.')
  return warning(
    `an earlier ${config.prefix} left its data behind (${tables.join(', ')}), and most likely its uploads, accounts and sealing key. This deployment begins with empty ones.`,
    'Keep them, or remove them permanently: docs/operations.md, "Destroy everything".',
  )
}

/** Finds changes by this deployment that are hard to revert. */
export async function checkChanges({ config, region, stacks }: DoctorInput): Promise<Finding[]> {
  const deployedStacks = await stacks
  if (deployedStacks.length === 0) return []
  const table = await fetchDeployedTable(deployedStacks, `${config.prefix}-data`, region)
  const findings = [
    checkAddressChange(config, findOutput(deployedStacks, 'SiteUrl')),
    checkRetention(config, table),
    checkRecovery(config, table),
    checkVaultChange(config, findOutput(deployedStacks, 'Vault')),
    checkUnneededEdge(config, deployedStacks),
  ].filter((finding) => finding !== undefined)
  return findings.length > 0 ? findings : [ok('none that is hard to take back.')]
}

/** Finds settings that differ from the deployed ones: most often, ones that this command was not given. */
export async function checkSettings({ config, stacks }: DoctorInput): Promise<Finding | undefined> {
  const output = findOutput(await stacks, 'DeployedSettings')
  if (output === undefined) return undefined
  const changes = compareSettings(output, config.settings)
  if (!changes)
    return warning(
      'what is deployed cannot be read.',
      'The next deployment writes it again (output DeployedSettings).',
    )
  if (changes.length === 0) return ok('as deployed.')
  const found = changes.map(({ key, deployed, now }) =>
    now === undefined
      ? `${key} returns to its default (deployed: ${deployed})`
      : `${key} becomes ${now} (deployed: ${deployed ?? 'its default'})`,
  )
  return warning(
    `${found.join('; ')}.`,
    `Unless you mean it: give them with -c, or store them in ${relative(process.cwd(), stageFile(config.stage))}.`,
  )
}

function checkAddressChange({ domain }: Config, deployed: string | undefined): Finding | undefined {
  if (deployed === undefined) return undefined
  const isOwn = !new URL(deployed).hostname.endsWith('.cloudfront.net')
  const next = domain && `https://${domain.name}`
  if (next === deployed || (next === undefined && !isOwn)) return undefined
  return warning(
    `the address changes from ${deployed} to ${next ?? "one of CloudFront's"}. Links in e-mails already sent lead to the old one, everybody has to sign in again, and apps at providers need the new redirect URL.`,
    `Leave domainName as it was${isOwn ? ` (-c domainName=${new URL(deployed).hostname})` : ''} unless you mean it.`,
  )
}

function checkRetention({ keepData }: Config, table: DeployedTable | undefined): Finding | undefined {
  if (keepData || table?.DeletionPolicy !== 'Retain') return undefined
  return warning(
    'keepData was on and is off now: from then on, removing the stacks deletes all data of users.',
    '-c keepData=on, unless you mean it',
  )
}

function checkRecovery({ recoveryDays }: Config, table: DeployedTable | undefined): Finding | undefined {
  const days = table?.Properties?.PointInTimeRecoverySpecification?.RecoveryPeriodInDays
  if (days === undefined || days <= recoveryDays) return undefined
  return warning(
    `recoveryDays falls from ${days} to ${recoveryDays}: the table can no longer be restored to earlier days.`,
    `-c recoveryDays=${days}, unless you mean it`,
  )
}

function checkVaultChange({ vault }: Config, deployed: string | undefined): Finding | undefined {
  if (deployed === undefined || deployed === vault) return undefined
  return warning(
    `vault changes from ${deployed} to ${vault}: stored credentials are still found where they are, and are moved by a separate command.`,
    `After the deployment: npm run vault -- --to ${vault}, with the same -c`,
  )
}

function checkUnneededEdge(config: Config, deployedStacks: readonly DeployedStack[]): Finding | undefined {
  const edge = needsEdge(config)
    ? undefined
    : deployedStacks.find(({ name }) => name === `${config.prefix}-edge`)
  if (!edge) return undefined
  return warning(
    `${edge.name} remains and costs money, because neither a certificate nor the WAF is used any more.`,
    `After the deployment, unless this stage is also deployed in another region, which shares it: delete it in the console of CloudFormation, ${edge.region}.`,
  )
}

interface DeployedResource<Properties> {
  readonly Type: string
  readonly DeletionPolicy?: string
  readonly Properties?: Properties
}
type DeployedTable = DeployedResource<{
  readonly PointInTimeRecoverySpecification?: { readonly RecoveryPeriodInDays?: number }
}>

async function fetchDeployedTable(
  deployedStacks: readonly DeployedStack[],
  name: string,
  region: string,
): Promise<DeployedTable | undefined> {
  if (!deployedStacks.some((one) => one.name === name)) return undefined
  return (await fetchResources<DeployedTable>(name, region)).find(
    ({ Type }) => Type === 'AWS::DynamoDB::Table',
  )
}

async function fetchResources<Resource>(StackName: string, region: string): Promise<Resource[]> {
  const cloudFormation = new CloudFormationClient(clientOptions(region))
  const { TemplateBody } = await cloudFormation.send(new GetTemplateCommand({ StackName }))
  // before the first deployment the template is empty text
  const { Resources = {} } = JSON.parse(TemplateBody || '{}') as { Resources?: Record<string, Resource> }
  return Object.values(Resources)
}

/** Finds changes of deployed identity providers that would fail, or lock users out. Google has a separate setting. */
export async function checkProviderChanges({ config, region, stacks }: DoctorInput): Promise<Finding[]> {
  const authStack = `${config.prefix}-auth`
  if (!(await stacks).some(({ name }) => name === authStack)) return []
  const deployed = await fetchProviders(authStack, region)
  return deployed.flatMap(({ name, type }) => {
    const next = config.identityProviders.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (next === undefined)
      return warning(
        `${name} is removed: its users keep their data, and cannot sign in. Open sessions end within 15 minutes.`,
        `Leave ${name} in identityProviders unless you mean it.`,
      )
    if (next.name === name && next.type.toUpperCase() === type) return []
    // names in a user pool are unique, ignoring case
    return problem(
      `${name} (${type}) becomes ${next.name} (${next.type.toUpperCase()}): CloudFormation makes the new provider before it deletes the old one, and Cognito refuses a second one of that name.`,
      'Give it another name. Its users are new users then.',
    )
  })
}

async function fetchProviders(name: string, region: string): Promise<{ name: string; type: string }[]> {
  const resources = await fetchResources<
    DeployedResource<{ readonly ProviderName?: string; readonly ProviderType?: string }>
  >(name, region)
  return resources.flatMap(({ Type, Properties: { ProviderName, ProviderType } = {} }) =>
    Type === 'AWS::Cognito::UserPoolIdentityProvider' && ProviderName && ProviderType !== 'Google'
      ? [{ name: ProviderName, type: ProviderType ?? '' }]
      : [],
  )
}

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
