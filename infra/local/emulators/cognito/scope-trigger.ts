import type { PreTokenGenerationV2TriggerEvent } from 'aws-lambda'
import { CognitoError } from './errors.ts'
import type { PoolUser } from './pool-store.ts'
import { callTrigger, eventFields, triggerAttributes, type Triggers } from './triggers.ts'

type TokenSource = PreTokenGenerationV2TriggerEvent['triggerSource']

/** The token changes that this pool supports; the service supports more. */
const known = new Set(['scopesToAdd', 'scopesToSuppress', 'claimsToAddOrOverride'])

/** Claims of access tokens that a trigger cannot change, by the same page of the documentation. */
const fixedClaims =
  /^(acr|amr|at_hash|auth_time|azp|client_id|device_key|event_id|exp|iat|iss|jti|nbf|nonce|origin_jti|scope|sub|token_use|username|version)$|^(cognito|dev|aws):/

/** What the trigger makes of an access token. */
export interface TokenChanges {
  scopes: readonly string[]
  claims: Readonly<Record<string, unknown>>
}

/**
 * Asks the pre-token-generation trigger which scopes and further claims an access token gets, with the event of version 2
 * (https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-pre-token-generation.html).
 * @throws UserLambdaValidationException when it throws; InvalidLambdaResponseException for a scope with a space, a claim that cannot be
 * changed, and for a change that this pool does not support
 */
export function scopeTrigger({
  region,
  id,
  clientId,
  triggers,
  groupNames,
}: {
  region: string
  id: string
  clientId: string
  triggers: Triggers
  groupNames: (user: PoolUser) => string[]
}): (user: PoolUser, source: TokenSource, scopes: readonly string[]) => Promise<TokenChanges> {
  return async (user, source, scopes) => {
    if (!triggers.preTokenGeneration) return { scopes, claims: {} }
    const { response } = await callTrigger('PreTokenGeneration', triggers.preTokenGeneration, {
      ...eventFields({ region, id, clientId }, user),
      version: '2',
      triggerSource: source,
      request: {
        userAttributes: triggerAttributes(user),
        groupConfiguration: { groupsToOverride: groupNames(user), iamRolesToOverride: [] },
        scopes: [...scopes],
      },
      response: { claimsAndScopeOverrideDetails: null },
    } as unknown as PreTokenGenerationV2TriggerEvent)
    const { accessTokenGeneration, ...others } = response?.claimsAndScopeOverrideDetails ?? {}
    const asked = [...Object.keys(others), ...Object.keys(accessTokenGeneration ?? {})]
    const unknown = asked.filter((change) => !known.has(change))
    const { scopesToAdd = [], scopesToSuppress = [] } = accessTokenGeneration ?? {}
    const claims: Record<string, unknown> = accessTokenGeneration?.claimsToAddOrOverride ?? {}
    if (Object.keys(claims).some((name) => fixedClaims.test(name)))
      throw new CognitoError('InvalidLambdaResponseException', 'Unrecognizable lambda output')
    if (unknown.length > 0 || scopesToAdd.some((scope) => scope === '' || /\s/.test(scope)))
      throw new CognitoError('InvalidLambdaResponseException', 'Unrecognizable lambda output')
    // suppressing wins over adding
    const changed = [...new Set([...scopes, ...scopesToAdd])]
    return { scopes: changed.filter((scope) => !scopesToSuppress.includes(scope)), claims }
  }
}
