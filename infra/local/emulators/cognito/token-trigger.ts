import type { PreTokenGenerationV2TriggerEvent } from 'aws-lambda'
import * as z from 'zod'
import { CognitoError } from './errors.ts'
import type { PoolUser } from './pool-store.ts'
import { callTrigger, eventFields, triggerAttributes, type Triggers } from './triggers.ts'

type TokenSource = PreTokenGenerationV2TriggerEvent['triggerSource']

/** The token changes that this pool supports; the service supports more. */
const supportedChanges = new Set([
  'scopesToAdd',
  'scopesToSuppress',
  'claimsToAddOrOverride',
  'groupOverrideDetails',
])

/** Claims of access tokens that a trigger cannot change, by the same page of the documentation. */
const fixedClaims =
  /^(acr|amr|at_hash|auth_time|azp|client_id|device_key|event_id|exp|iat|iss|jti|nbf|nonce|origin_jti|scope|sub|token_use|username|version)$|^(cognito|dev|aws):/

/** Groups, scopes and claims of the tokens, after the trigger has changed them. */
export interface TokenChanges {
  /** `cognito:groups` of both tokens; they need not be groups of the pool */
  groups: readonly string[]
  /** scopes of the access token; `claims` are its claims */
  scopes: readonly string[]
  claims: Readonly<Record<string, unknown>>
}

/**
 * Asks the pre-token-generation trigger which groups, scopes and further claims the tokens get, with the event of version 2
 * (https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-pre-token-generation.html).
 * @throws UserLambdaValidationException when it throws; InvalidLambdaResponseException for a scope with a space, a claim that cannot be
 * changed, and for a change that this pool does not support
 */
export function tokenTrigger({
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
    const ownGroups = groupNames(user)
    if (!triggers.preTokenGeneration) return { groups: ownGroups, scopes, claims: {} }
    const { response } = await callTrigger('PreTokenGeneration', triggers.preTokenGeneration, {
      ...eventFields({ region, id, clientId }, user),
      version: '2',
      triggerSource: source,
      request: {
        userAttributes: triggerAttributes(user),
        groupConfiguration: { groupsToOverride: ownGroups, iamRolesToOverride: [], preferredRole: null },
        scopes: [...scopes],
      },
      response: { claimsAndScopeOverrideDetails: null },
    } as unknown as PreTokenGenerationV2TriggerEvent)
    const { accessTokenGeneration, ...others } = response?.claimsAndScopeOverrideDetails ?? {}
    const changes = [...Object.keys(others), ...Object.keys(accessTokenGeneration ?? {})]
    const groups = overrideGroups(others.groupOverrideDetails, ownGroups)
    const unknown = changes.filter((change) => !supportedChanges.has(change))
    const { scopesToAdd = [], scopesToSuppress = [] } = accessTokenGeneration ?? {}
    const claims: Record<string, unknown> = accessTokenGeneration?.claimsToAddOrOverride ?? {}
    if (Object.keys(claims).some((name) => fixedClaims.test(name)))
      throw new CognitoError('InvalidLambdaResponseException', 'Unrecognizable lambda output')
    if (unknown.length > 0 || scopesToAdd.some((scope) => scope === '' || /\s/.test(scope)))
      throw new CognitoError('InvalidLambdaResponseException', 'Unrecognizable lambda output')
    // suppressing wins over adding
    const changed = [...new Set([...scopes, ...scopesToAdd])]
    return { groups, scopes: changed.filter((scope) => !scopesToSuppress.includes(scope)), claims }
  }
}

/** Roles may come back as the event has them, and no other way: groups of this pool have none. */
const groupOverride = z.strictObject({
  groupsToOverride: z.array(z.string().min(1)).nullish(),
  iamRolesToOverride: z.array(z.never()).nullish(),
  preferredRole: z.null().optional(),
})

/**
 * The groups of the tokens. A list replaces the user's own groups, whether or not the pool has groups of these names, in the ID token and
 * in the access token: https://docs.amplify.aws/react/build-a-backend/functions/examples/override-token/ and
 * https://github.com/localstack/localstack/issues/7581.
 * @throws InvalidLambdaResponseException for anything but lists of names
 */
function overrideGroups(override: unknown, own: readonly string[]): readonly string[] {
  if (override === undefined || override === null) return own
  const parsed = groupOverride.safeParse(override)
  if (!parsed.success)
    throw new CognitoError('InvalidLambdaResponseException', 'Unrecognizable lambda output')
  return parsed.data.groupsToOverride ?? own
}
