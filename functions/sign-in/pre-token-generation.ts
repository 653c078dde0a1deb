import { AdminGetUserCommand, CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import type { PreTokenGenerationV2TriggerEvent } from 'aws-lambda'
import * as z from 'zod'
import { fromPoolGroupName, toPoolGroupName } from '#shared/group-names.ts'
import { groupsAttribute } from '#shared/identity-providers.ts'
import { twoFactorClaim } from '#shared/two-factor-claim.ts'
import { adminGroup, apiScope, selfServiceScope } from '#shared/user-pool.ts'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import { parseEnv } from '../platform/env.ts'
import { groupLimitsReader } from '../platform/group-limits.ts'
import { lastActivity } from '../platform/last-activity.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { hasOperatorProvider, isFederated, providerAccounts } from './provider-accounts.ts'
import { passwordSignIn, providerVariables, requireTwoFactor } from './provider-variables.ts'
import { refusePassword } from './refusals.ts'
import { trigger } from './trigger.ts'

const openDeps = () => {
  const { TABLE_NAME, REQUIRE_TWO_FACTOR, IDENTITY_PROVIDERS, PASSWORD_SIGN_IN } = parseEnv({
    TABLE_NAME: z.string(),
    REQUIRE_TWO_FACTOR: requireTwoFactor,
    PASSWORD_SIGN_IN: passwordSignIn,
    ...providerVariables,
  })
  const table = openTable(TABLE_NAME)
  return {
    activity: lastActivity(table),
    groupLimits: groupLimitsReader(table, { require_two_factor: REQUIRE_TWO_FACTOR }),
    cognito: new CognitoIdentityProviderClient(clientTimeouts(1_500)),
    providers: providerAccounts(IDENTITY_PROVIDERS),
    hasPasswords: PASSWORD_SIGN_IN,
  }
}
let deps: ReturnType<typeof openDeps> | undefined

/**
 * Cognito's pre-token-generation trigger, version 2. Access tokens get the product's own scope. Only the tokens of a fresh sign-in keep the
 * scope for Cognito's self-service operations. A token that is stolen from a browser, or refreshed by a thief, therefore
 * cannot change the e-mail address, the password or the second factor, nor delete the account.
 *
 * Accounts of the operator's identity providers never have that scope: the attribute with their groups has to be writable by the app client, so
 * with it they could join any group (ADR 0074).
 *
 * Whoever gets tokens is active: administrators see the hour.
 *
 * Tokens of users who need a second factor and have none carry a claim, and the functions refuse them (ADR 0072).
 * Accounts that could not sign in any more get no tokens for an open session either: those with a password where password sign-in is off,
 * those of a provider that was removed, and those whose address belongs to another provider.
 * @throws Refusal for these accounts; errors of the table, if the provider names groups, or the token has no room for all: without its
 * groups an account might have more rights, not fewer
 */
export const handler = trigger(async (event: PreTokenGenerationV2TriggerEvent) => {
  const { userAttributes, groupConfiguration } = event.request
  requireAllowedSignIn(userAttributes)
  const { activity } = (deps ??= openDeps())
  const noted = activity.note(userAttributes['sub'] ?? event.userName, Date.now())
  const withoutSelfService =
    event.triggerSource === 'TokenGeneration_RefreshTokens' || hasOperatorProvider(userAttributes)
  const poolGroups = groupConfiguration.groupsToOverride ?? []
  const providerGroups = await findProviderGroups(userAttributes)
  const allGroups = [...new Set([...poolGroups, ...providerGroups.map(toPoolGroupName)])]
  const groups = await fitIntoToken(allGroups)
  event.response.claimsAndScopeOverrideDetails = {
    accessTokenGeneration: {
      scopesToAdd: [apiScope],
      ...(withoutSelfService && { scopesToSuppress: [selfServiceScope] }),
      ...((await mustSetUpTwoFactor(event)) && { claimsToAddOrOverride: { [twoFactorClaim]: 'required' } }),
    },
    // replaces the groups of the pool
    ...((providerGroups.length > 0 || groups.length < allGroups.length) && {
      groupOverrideDetails: { groupsToOverride: groups },
    }),
  }
  await noted
  return event
})

function requireAllowedSignIn(attributes: Record<string, string>): void {
  const { providers, hasPasswords } = (deps ??= openDeps())
  const passwordRefusal = hasPasswords ? undefined : refusePassword()
  const refusal = isFederated(attributes) ? providers.findRefusal(attributes) : passwordRefusal
  if (refusal) throw refusal.ofAccount()
}

async function findProviderGroups(attributes: Record<string, string>): Promise<string[]> {
  if (!hasOperatorProvider(attributes) || !attributes[groupsAttribute]) return []
  const { providers, groupLimits } = (deps ??= openDeps())
  return providers.findGroups(attributes, (named) => groupLimits.listNames(named))
}

/**
 * API Gateway takes a request line and header values of 10,240 bytes together
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html), and answers nothing else. The
 * names in a token become a third longer, the rest of it has about 1,300 bytes; the others are for the address and what browsers and
 * CloudFront add. 100 groups of 64 letters would be too many.
 */
const maxGroupsBytes = 3_000

/**
 * As many groups as a token has room for: the administrators', then those that set a limit which none before them sets, then those with an
 * entry, then the others, each in their order. So whoever leaves groups out gets less by it, not more.
 * @param poolNames as the pool writes them
 */
async function fitIntoToken(poolNames: string[]): Promise<string[]> {
  const countBytes = (names: readonly string[]) => Buffer.byteLength(JSON.stringify(names))
  if (countBytes(poolNames) <= maxGroupsBytes) return poolNames
  const { groupLimits } = (deps ??= openDeps())
  const entries = await groupLimits.list(poolNames.map(fromPoolGroupName))
  const limited = new Set<string>()
  const ranks = new Map(
    poolNames.map((name) => {
      const entry = entries.get(fromPoolGroupName(name))
      const added = Object.keys(entry ?? {}).filter((limit) => !limited.has(limit))
      for (const limit of added) limited.add(limit)
      return [name, [name !== adminGroup, added.length === 0, !entry].map(Number).join('')]
    }),
  )
  const fitting: string[] = []
  for (const name of poolNames.toSorted((a, b) => (ranks.get(a) ?? '').localeCompare(ranks.get(b) ?? ''))) {
    if (countBytes([...fitting, name]) > maxGroupsBytes) break
    fitting.push(name)
  }
  logger.warn('a token has no room for all groups of its user', {
    skipped: poolNames.length - fitting.length,
  })
  return fitting
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
  if (isFederated(userAttributes)) return false
  deps ??= openDeps()
  try {
    const limits = await deps.groupLimits.find({
      groups: (groupConfiguration.groupsToOverride ?? []).map(fromPoolGroupName),
    })
    if (limits.require_two_factor !== true) return false
    const { UserMFASettingList = [] } = await deps.cognito.send(
      new AdminGetUserCommand({ UserPoolId, Username }),
    )
    return UserMFASettingList.length === 0
  } catch (error) {
    logger.error('whether a user has a second factor could not be found out', { error })
    return true
  }
}
