import type { PreTokenGenerationV2TriggerEvent } from 'aws-lambda'
import { apiScope, selfServiceScope } from '#shared/user-pool.ts'

/**
 * Cognito's pre-token-generation trigger, version 2. Access tokens get the product's own scope. Only the tokens of a fresh sign-in keep the
 * scope for Cognito's self-service operations. A token that is stolen from a browser, or refreshed by a thief, therefore
 * cannot change the e-mail address, the password or the second factor, nor delete the account.
 */
export async function handler(
  event: PreTokenGenerationV2TriggerEvent,
): Promise<PreTokenGenerationV2TriggerEvent> {
  const isRefresh = event.triggerSource === 'TokenGeneration_RefreshTokens'
  event.response.claimsAndScopeOverrideDetails = {
    accessTokenGeneration: {
      scopesToAdd: [apiScope],
      ...(isRefresh && { scopesToSuppress: [selfServiceScope] }),
    },
  }
  return event
}
