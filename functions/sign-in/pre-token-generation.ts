import type { PreTokenGenerationV2TriggerEvent } from 'aws-lambda'
import { apiScope, selfServiceScope } from '#shared/user-pool.ts'

/**
 * Cognito's pre-token-generation trigger, version 2. Access tokens open the product by a scope of its own; the scope that opens
 * Cognito's self-service operations stays with the tokens of a sign-in. A token that was stolen from a browser, or refreshed by a
 * thief, therefore changes no e-mail address, no password and no second factor, and deletes nothing.
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
