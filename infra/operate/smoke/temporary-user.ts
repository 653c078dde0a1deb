import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminSetUserPasswordCommand,
  type CognitoIdentityProviderClient,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider'
import { randomBytes } from 'node:crypto'
import { type Credentials, newPassword } from '../sign-in.ts'

/** Marks users that a test left behind (docs/operations.md). */
const mark = 'smoke-test'

/** An address at a domain without mail (RFC 2606), and a password. */
export const newTemporaryUser = (): Credentials => ({
  email: `${mark}-${randomBytes(8).toString('hex')}@example.com`,
  password: newPassword(),
})

/** Creates a confirmed user without sending a mail. */
export async function createUser(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
  { email, password }: Credentials,
  abortSignal: AbortSignal,
): Promise<void> {
  const attributes = { email, email_verified: 'true', name: 'Smoke test, may be deleted' }
  await client.send(
    new AdminCreateUserCommand({
      UserPoolId,
      Username: email,
      MessageAction: 'SUPPRESS',
      UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
    }),
    { abortSignal },
  )
  await client.send(
    new AdminSetUserPasswordCommand({ UserPoolId, Username: email, Password: password, Permanent: true }),
    { abortSignal },
  )
}

/** Deletes the account; a missing one is no error. */
export async function deleteUser(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
  { email }: Pick<Credentials, 'email'>,
): Promise<void> {
  try {
    await client.send(new AdminDeleteUserCommand({ UserPoolId, Username: email }))
  } catch (error) {
    if (!(error instanceof UserNotFoundException)) throw error
  }
}
