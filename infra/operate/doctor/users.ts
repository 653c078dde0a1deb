import {
  CognitoIdentityProviderClient,
  ListUsersInGroupCommand,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { isModelAllowed } from '#shared/model-limits.ts'
import { adminGroup } from '#shared/user-pool.ts'
import { toModelLimits } from '../../../functions/platform/group-limits.ts'
import { groupsKey, parseGroupsRow } from '../../../functions/platform/groups-row.ts'
import { type Finding, findExisting, ok, warning } from './finding.ts'
import { clientOptions } from './identity.ts'
import { findOutput, type DoctorInput } from './stacks.ts'

/** At most 60 administrators; undefined before the first deployment. */
export async function fetchAdministrators({
  region,
  stacks,
}: Pick<DoctorInput, 'region' | 'stacks'>): Promise<UserType[] | undefined> {
  const UserPoolId = findOutput(await stacks, 'UserPoolId')
  if (UserPoolId === undefined) return undefined
  const pools = new CognitoIdentityProviderClient(clientOptions(region))
  const command = new ListUsersInGroupCommand({ UserPoolId, GroupName: adminGroup, Limit: 60 })
  // creating the first administrator creates the group
  return (await findExisting(pools.send(command), 'ResourceNotFoundException'))?.Users ?? []
}

/** Checks that somebody can manage users on the page. Before the first deployment there is nothing to check. */
export async function checkAdministrators(input: DoctorInput): Promise<Finding | undefined> {
  const administrators = await fetchAdministrators(input)
  if (!administrators) return undefined
  const count = administrators.filter(({ Enabled }) => Enabled !== false).length
  if (count > 0) return ok(`${count === 60 ? 'at least ' : ''}${count}.`)
  return warning(
    'there are none, so users can be managed by commands only.',
    'npm run invite -- --admin you@example.org -c …',
  )
}

/** Checks that the limits of each group leave its members a model. Before the first deployment there is nothing to check. */
export async function checkGroups({ config, region, stacks }: DoctorInput): Promise<Finding[]> {
  const TableName = findOutput(await stacks, 'TableName')
  if (TableName === undefined) return []
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(clientOptions(region)))
  const { Item } = await client.send(new GetCommand({ TableName, Key: groupsKey }))
  const { groups } = parseGroupsRow(Item)
  const findings = Object.entries(groups).flatMap(([name, { limits }]) => {
    const allowed = toModelLimits(limits)
    // the server lists the models, or none is intended
    if (config.models.length === 0) return []
    if (allowed.models?.length === 0 || config.models.some((model) => isModelAllowed(model, allowed)))
      return []
    return warning(
      allowed.priced_models_only
        ? `members of ${name} may use no model: its limit of costs excludes models without a price.`
        : `members of ${name} may use no model: those that it names are not offered.`,
      'Add price to the entries of models and deploy, or change the group on the page (/admin).',
    )
  })
  return findings.length > 0 ? findings : [ok('each of them may use a model.')]
}
