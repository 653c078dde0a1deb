import {
  AdminDeleteUserAttributesCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider'
import type { PreAuthenticationTriggerEvent } from 'aws-lambda'
import { groupsAttribute } from '#shared/identity-providers.ts'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import { hasOperatorProvider } from './provider-accounts.ts'
import { trigger } from './trigger.ts'

const cognito = new CognitoIdentityProviderClient(clientTimeouts(2_000))

/**
 * Cognito's pre-authentication trigger, before each sign-in but the first of an account. Cognito does not clear an attribute whose claim is
 * missing, so a user who has lost their last group at the provider would keep it forever. What the trigger deletes, the claims of this
 * sign-in fill again (https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-specifying-attribute-mapping.html).
 * @throws errors of Cognito, which end the sign-in: nobody gets tokens with groups that may be outdated
 */
export const handler = trigger(async (event: PreAuthenticationTriggerEvent) => {
  const { userPoolId: UserPoolId, userName: Username, request } = event
  // the event for a name without an account (`userNotFound`) may have none
  const userAttributes: Record<string, string> = request.userAttributes ?? {}
  if (hasOperatorProvider(userAttributes) && userAttributes[groupsAttribute] !== undefined)
    await cognito.send(
      new AdminDeleteUserAttributesCommand({ UserPoolId, Username, UserAttributeNames: [groupsAttribute] }),
    )
  return event
})
