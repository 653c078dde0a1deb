import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminSetUserPasswordCommand,
  type CognitoIdentityProviderClient,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider'
import { randomBytes } from 'node:crypto'
import { type Credentials, newPassword } from '../sign-in.ts'

/** What an operator looks for should a test ever leave one behind: docs/operations.md names it. */
const mark = 'smoke-test'

/** A name that shows what it is, at a host that takes no mail (RFC 2606), and a password. */
export const newTemporaryUser = (): Credentials => ({
  email: `${mark}-${randomBytes(8).toString('hex')}@example.com`,
  password: newPassword(),
})

/** Makes the user in the pool, confirmed, without a mail. */
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

/** Removes the user; one that is gone already, or was never made, is as good. */
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
