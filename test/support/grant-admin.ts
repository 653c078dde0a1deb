import {
  AdminAddUserToGroupCommand,
  CognitoIdentityProviderClient,
  CreateGroupCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { adminGroup } from '#shared/user-pool.ts'
import type { LocalStack } from './local-stack.ts'

/** Makes a user of a stack an administrator, as its operator would. The tokens of the next sign-in say so. */
export async function grantAdmin(
  stack: Pick<LocalStack, 'origin' | 'endpoints'>,
  email: string,
): Promise<void> {
  const [{ cognito: endpoint, credentials }, config] = await Promise.all([
    stack.endpoints(),
    fetch(`${stack.origin}/config.json`),
  ])
  const { region, userPoolId: UserPoolId } = (await config.json()) as { region: string; userPoolId: string }
  const client = new CognitoIdentityProviderClient({ endpoint, region, credentials, maxAttempts: 1 })
  try {
    await client
      .send(new CreateGroupCommand({ UserPoolId, GroupName: adminGroup }))
      .catch((error: unknown) => {
        if (!(error instanceof Error && error.name === 'GroupExistsException')) throw error
      })
    await client.send(new AdminAddUserToGroupCommand({ UserPoolId, GroupName: adminGroup, Username: email }))
  } finally {
    client.destroy()
  }
}
