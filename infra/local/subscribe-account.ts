import { CognitoIdentityProviderClient, ListUsersCommand } from '@aws-sdk/client-cognito-identity-provider'
import { buildEmailFilter, readAttribute } from '../../functions/platform/auth/pool-accounts.ts'
import { openTable } from '../../functions/platform/dynamodb/table.ts'
import { sealer } from '../../functions/platform/secrets/seal.ts'
import { secretStore } from '../../functions/platform/secrets/secret-store.ts'
import { subscriptionRepository } from '../../functions/push/subscription-repository.ts'
import { vapidKey } from '../../functions/push/vapid-key.ts'
import { sealingKeySecret } from './function-environment.ts'
import type { PushService } from './push-service.ts'
import { tableName } from './services.ts'

/** The key that browsers subscribe with. The first call makes it. */
export const loadPublicKey = (): Promise<string> =>
  vapidKey(openTable(tableName), sealer(secretStore(), sealingKeySecret)).loadPublicKey()

/**
 * Subscribes a browser of the local push service for an account, without its sign-in: whoever uses the computer reads its mails, too.
 * @returns whether there is such an account
 */
export async function subscribeAccount(
  service: Pick<PushService, 'subscribe'>,
  userPoolId: string,
  email: string,
): Promise<boolean> {
  const client = new CognitoIdentityProviderClient()
  try {
    const { Users: [user] = [] } = await client.send(
      new ListUsersCommand({ UserPoolId: userPoolId, Filter: buildEmailFilter(email), Limit: 1 }),
    )
    if (!user) return false
    // a subscription is made with the key
    await loadPublicKey()
    const subscription = service.subscribe(readAttribute(user.Attributes, 'email'))
    await subscriptionRepository(openTable(tableName)).add(
      readAttribute(user.Attributes, 'sub'),
      subscription,
    )
    return true
  } finally {
    client.destroy()
  }
}
