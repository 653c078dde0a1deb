import {
  AdminAddUserToGroupCommand,
  CognitoIdentityProviderClient,
  CreateGroupCommand,
  GroupExistsException,
  paginateListUsers,
} from '@aws-sdk/client-cognito-identity-provider'
import type { PostConfirmationTriggerEvent } from 'aws-lambda'
import { adminGroup } from '#shared/user-pool.ts'

/**
 * Makes the first confirmed account of a new local product its administrator, before its first sign-in. Whoever runs `npm start` has no
 * other one to ask. A deployment has `npm run invite -- --admin`.
 */
export async function makeFirstAdministrator({
  triggerSource,
  userPoolId: UserPoolId,
  userName: Username,
}: PostConfirmationTriggerEvent): Promise<void> {
  if (triggerSource !== 'PostConfirmation_ConfirmSignUp') return
  const client = new CognitoIdentityProviderClient({ maxAttempts: 1 })
  try {
    let confirmed = 0
    for await (const { Users = [] } of paginateListUsers({ client }, { UserPoolId })) {
      confirmed += Users.filter(({ UserStatus }) => UserStatus !== 'UNCONFIRMED').length
      if (confirmed > 1) return
    }
    await client
      .send(new CreateGroupCommand({ UserPoolId, GroupName: adminGroup }))
      .catch((error: unknown) => {
        if (!(error instanceof GroupExistsException)) throw error
      })
    await client.send(new AdminAddUserToGroupCommand({ UserPoolId, Username, GroupName: adminGroup }))
  } finally {
    client.destroy()
  }
}
