import { AdminGetUserCommand, CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import type { PreTokenGenerationV2TriggerEvent } from 'aws-lambda'
import * as z from 'zod'
import { twoFactorClaim } from '#shared/two-factor-claim.ts'
import { apiScope, selfServiceScope } from '#shared/user-pool.ts'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import { parseEnv } from '../platform/env.ts'
import { groupLimitsReader } from '../platform/group-limits.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { openTable } from '../platform/dynamodb/table.ts'

const open = () => {
  const { TABLE_NAME, REQUIRE_TWO_FACTOR } = parseEnv({
    TABLE_NAME: z.string(),
    REQUIRE_TWO_FACTOR: z.enum(['on', 'off']).default('off'),
  })
  return {
    groupLimits: groupLimitsReader(openTable(TABLE_NAME), {
      require_two_factor: REQUIRE_TWO_FACTOR === 'on',
    }),
    cognito: new CognitoIdentityProviderClient(clientTimeouts(1_500)),
  }
}
let opened: ReturnType<typeof open> | undefined

/**
 * Cognito's pre-token-generation trigger, version 2. Access tokens get the product's own scope. Only the tokens of a fresh sign-in keep the
 * scope for Cognito's self-service operations. A token that is stolen from a browser, or refreshed by a thief, therefore
 * cannot change the e-mail address, the password or the second factor, nor delete the account.
 *
 * Tokens of users who need a second factor and have none say so, and the functions refuse them (ADR 0073).
 */
export async function handler(
  event: PreTokenGenerationV2TriggerEvent,
): Promise<PreTokenGenerationV2TriggerEvent> {
  const isRefresh = event.triggerSource === 'TokenGeneration_RefreshTokens'
  event.response.claimsAndScopeOverrideDetails = {
    accessTokenGeneration: {
      scopesToAdd: [apiScope],
      ...(isRefresh && { scopesToSuppress: [selfServiceScope] }),
      ...((await mustSetUpTwoFactor(event)) && { claimsToAddOrOverride: { [twoFactorClaim]: 'required' } }),
    },
  }
  return event
}

/**
 * Accounts of an identity provider are exempt: the user pool asks them for no factor of its own, the provider does. An account that cannot
 * be looked up counts as one without a factor: the page asks again, and nobody loses the sign-in.
 */
async function mustSetUpTwoFactor({
  userPoolId: UserPoolId,
  userName: Username,
  request: { userAttributes, groupConfiguration },
}: PreTokenGenerationV2TriggerEvent): Promise<boolean> {
  if (userAttributes['cognito:user_status'] === 'EXTERNAL_PROVIDER') return false
  opened ??= open()
  try {
    const limits = await opened.groupLimits.find({ groups: groupConfiguration.groupsToOverride ?? [] })
    if (limits.require_two_factor !== true) return false
    const { UserMFASettingList = [] } = await opened.cognito.send(
      new AdminGetUserCommand({ UserPoolId, Username }),
    )
    return UserMFASettingList.length === 0
  } catch (error) {
    logger.error('whether a user has a second factor could not be found out', { error })
    return true
  }
}
