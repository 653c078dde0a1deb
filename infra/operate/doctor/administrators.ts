import {
  CognitoIdentityProviderClient,
  ListUsersInGroupCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { adminGroup } from '#shared/user-pool.ts'
import { errorName, ok, warning, type Finding } from './finding.ts'
import { clientOptions } from './identity.ts'
import { findOutput, type DoctorInput } from './stacks.ts'

/** Checks that somebody can manage users on the page. Before the first deployment there is nothing to check. */
export async function checkAdministrators({ region, stacks }: DoctorInput): Promise<Finding[]> {
  const userPoolId = findOutput(await stacks, 'UserPoolId')
  if (userPoolId === undefined) return []
  const pools = new CognitoIdentityProviderClient(clientOptions(region))
  try {
    const count = await countAdministrators(pools, userPoolId)
    if (count > 0) return [ok(`${count === 60 ? 'at least ' : ''}${count}.`)]
    return [
      warning(
        'there are none, so users can be managed by commands only.',
        'npm run invite -- --admin you@example.org -c …',
      ),
    ]
  } finally {
    pools.destroy()
  }
}

/** @returns 60 if there are more */
async function countAdministrators(
  pools: CognitoIdentityProviderClient,
  UserPoolId: string,
): Promise<number> {
  try {
    const { Users = [] } = await pools.send(
      new ListUsersInGroupCommand({ UserPoolId, GroupName: adminGroup, Limit: 60 }),
    )
    return Users.filter(({ Enabled }) => Enabled !== false).length
  } catch (error) {
    // creating the first administrator creates the group
    if (errorName(error) === 'ResourceNotFoundException') return 0
    throw error
  }
}
