import {
  CloudFormationClient,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
  UpdateTerminationProtectionCommand,
  type StackResource,
} from '@aws-sdk/client-cloudformation'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../report.ts'
import { refusedResource, type Template } from './faults.ts'

export const account = '111122223333'
export const region = 'eu-central-1'
const stackNames = ['data', 'auth', 'api', 'web'] as const
export const toStackName = (name: (typeof stackNames)[number]) => `juno-dev-${name}`

/** Takes what the emulator cannot create out of the templates of a folder. @returns what it was */
export function removeRefused(folder: string): string[] {
  const removed: string[] = []
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.template.json'))) {
    const file = join(folder, name)
    const template = JSON.parse(readFileSync(file, 'utf8')) as Template
    const ids = Object.keys(template.Resources).filter((id) => refusedResource(template.Resources[id]))
    const refersToRemoved = (value: unknown) => ids.some((id) => JSON.stringify(value).includes(`"${id}"`))
    for (const id of ids) {
      removed.push(`${id} (${template.Resources[id]?.Type})`)
      delete template.Resources[id]
    }
    for (const resource of Object.values(template.Resources)) {
      if (resource.DependsOn)
        resource.DependsOn = [resource.DependsOn].flat().filter((id) => !ids.includes(id))
      const providers = resource.Properties?.['SupportedIdentityProviders']
      if (resource.Properties && Array.isArray(providers))
        resource.Properties['SupportedIdentityProviders'] = providers.filter((one) => !refersToRemoved(one))
    }
    for (const [id, output] of Object.entries(template.Outputs ?? {}))
      if (refersToRemoved(output)) delete template.Outputs?.[id]
    writeFileSync(file, JSON.stringify(template))
  }
  return removed
}

export async function findOutput(
  client: CloudFormationClient,
  stack: (typeof stackNames)[number],
  key: string,
): Promise<string | undefined> {
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: toStackName(stack) }))
  return Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === key)?.OutputValue
}

/** Lets the stacks that keep data be deleted, as an operator does who means it. */
export async function endProtection(client: CloudFormationClient): Promise<void> {
  for (const name of stackNames)
    await client.send(
      new UpdateTerminationProtectionCommand({
        StackName: toStackName(name),
        EnableTerminationProtection: false,
      }),
    )
}

/** All resources of the stacks. */
export async function listResources(
  client: CloudFormationClient,
  names: readonly (typeof stackNames)[number][] = stackNames,
): Promise<StackResource[]> {
  const stacks = await Promise.all(
    names.map((name) => client.send(new DescribeStackResourcesCommand({ StackName: toStackName(name) }))),
  )
  return stacks.flatMap(({ StackResources = [] }) => StackResources)
}

/** What must never be replaced: it holds data, or its address is known outside. */
const statefulTypes = [
  'AWS::ApiGateway::RestApi',
  'AWS::CloudFront::Distribution',
  'AWS::Cognito::UserPool',
  'AWS::Cognito::UserPoolClient',
  'AWS::DynamoDB::Table',
  'AWS::KMS::Key',
  'AWS::S3::Bucket',
  'AWS::SecretsManager::Secret',
]

/** An id of the templates without the hash that the CDK adds. */
export const toConstructName = (logicalId = '') => logicalId.replace(/[0-9A-F]{8}$/, '')

/** The physical ids of what must never be replaced, by logical id. */
export async function listStateful(client: CloudFormationClient): Promise<Map<string, string>> {
  const stateful = (await listResources(client)).filter(({ ResourceType = '' }) =>
    statefulTypes.includes(ResourceType),
  )
  return new Map(
    stateful.map(({ LogicalResourceId = '', PhysicalResourceId = '' }) => [
      LogicalResourceId,
      PhysicalResourceId,
    ]),
  )
}

/**
 * Calls a function as its schedule does: https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-targets-templated.html
 * @throws Error if the function fails
 */
export async function callAsSchedule(client: CloudFormationClient, id: string): Promise<void> {
  const FunctionName = (await listResources(client)).find(
    ({ LogicalResourceId, ResourceType }) =>
      ResourceType === 'AWS::Lambda::Function' && toConstructName(LogicalResourceId) === id,
  )?.PhysicalResourceId
  const event = {
    version: '0',
    id: crypto.randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
  }
  const details = { account, time: new Date().toISOString(), region, resources: [], detail: '{}' }
  const { FunctionError, Payload } = await new LambdaClient({}).send(
    new InvokeCommand({ FunctionName, Payload: JSON.stringify({ ...event, ...details }) }),
  )
  if (FunctionError)
    throw new Error(
      Buffer.from(Payload ?? [])
        .toString()
        .slice(0, 300),
    )
}

/** Judges a call of a function as its schedule makes it. */
export async function judgeSchedule(report: Report, client: CloudFormationClient, id: string): Promise<void> {
  try {
    await callAsSchedule(client, id)
    report.pass(`${id}, as its schedule calls it`)
  } catch (error) {
    report.fail(id, String(error))
  }
}
