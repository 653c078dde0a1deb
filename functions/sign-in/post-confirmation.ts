import {
  AdminAddUserToGroupCommand,
  AdminSetUserMFAPreferenceCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  CognitoIdentityProviderClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider'
import type { PostConfirmationTriggerEvent } from 'aws-lambda'
import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { toPoolGroupName } from '#shared/group-names.ts'
import { adminGroup, replacePasswordKey } from '#shared/user-pool.ts'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import { wait } from '../platform/clock.ts'
import { parseEnv } from '../platform/env.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { getMsToNextSecond, tokenRevoker } from '../platform/auth/token-revocation.ts'
import { siteSettingsReader } from '../platform/site-settings.ts'
import { findInvitedGroups, redeemInvitation } from './invitations.ts'
import { providerAccounts } from './provider-accounts.ts'
import { providerVariables } from './provider-variables.ts'
import { trigger } from './trigger.ts'

const { TABLE_NAME, IDENTITY_PROVIDERS } = parseEnv({ TABLE_NAME: z.string(), ...providerVariables })
const cognito = new CognitoIdentityProviderClient(clientTimeouts(2_000))
const table = openTable(TABLE_NAME)
const loadSiteSettings = siteSettingsReader(table)
const revocation = tokenRevoker(table)
const providers = providerAccounts(IDENTITY_PROVIDERS)

/**
 * Cognito's PostConfirmation trigger. A password may be reset because somebody else knows it, so every session of the account is revoked,
 * in the user pool and in the functions. Cognito itself revokes none.
 *
 * Somebody may sign up with an address that they do not own. If its owner confirms the account in another browser, the page reports that,
 * and the password is replaced by a random one before the owner resets it.
 *
 * A new account joins the default group, if an administrator has set one, beside the groups of an invitation.
 *
 * An invitation admits one account, which gets its groups. It is deleted when the owner of the address confirms the account, or signs in
 * with an identity provider for the first time.
 * @throws errors of Cognito and the table; the page then warns that other sessions may continue. Each step can be repeated
 */
export const handler = trigger(async (event: PostConfirmationTriggerEvent) => {
  const { triggerSource, userPoolId: UserPoolId, userName: Username, request } = event
  const user = { UserPoolId, Username }
  const isReset = triggerSource === 'PostConfirmation_ConfirmForgotPassword'
  const hasForeignPassword = request.clientMetadata?.[replacePasswordKey] === 'true'
  if (isReset || hasForeignPassword)
    await endSessions(user, request.userAttributes['sub'] ?? Username, hasForeignPassword && !isReset)
  // last: until then somebody else may know the password
  if (triggerSource === 'PostConfirmation_ConfirmSignUp') {
    await joinDefaultGroup(user)
    await acceptInvitation(user, request.userAttributes)
  }
  return event
})

interface PoolUser {
  UserPoolId: string
  Username: string
}

/** @param hasForeignPassword somebody else signed up: their password and second factor are removed, too */
async function endSessions(user: PoolUser, sub: string, hasForeignPassword: boolean): Promise<void> {
  if (hasForeignPassword) {
    const Password = randomBytes(90).toString('base64url')
    await cognito.send(new AdminSetUserPasswordCommand({ ...user, Password, Permanent: true }))
  }
  await cognito.send(new AdminUserGlobalSignOutCommand(user))
  // somebody with the old password may have enrolled a second factor of their own
  if (hasForeignPassword)
    await cognito.send(
      new AdminSetUserMFAPreferenceCommand({
        ...user,
        SoftwareTokenMfaSettings: { Enabled: false, PreferredMfa: false },
      }),
    )
  const nowMs = Date.now()
  await revocation.revoke(sub, 'signed-out', nowMs)
  await wait(getMsToNextSecond(nowMs))
}

/** An invitation is for the owner of the address: where sign-up is open, accounts of a provider may have an unverified one. */
async function acceptInvitation(user: PoolUser, attributes: Record<string, string>): Promise<void> {
  if (!providers.isEmailProven(attributes)) return
  const { email = '' } = attributes
  await joinInvitedGroups(user, email)
  // an invitation that cannot be removed expires
  await redeemInvitation(table, email).catch((error: unknown) =>
    logger.warn('the invitation could not be removed', { error }),
  )
}

/**
 * Puts a new account into the groups of its invitation. A group that was deleted since is left out.
 * @throws errors of Cognito and the table: the invitation stays
 */
async function joinInvitedGroups(user: PoolUser, email: string): Promise<void> {
  for (const name of await findInvitedGroups(table, email, Date.now())) await joinGroup(user, name)
}

/** @throws errors of Cognito and the table */
async function joinDefaultGroup(user: PoolUser): Promise<void> {
  const { defaultGroup } = await loadSiteSettings()
  if (defaultGroup !== undefined && defaultGroup !== adminGroup) await joinGroup(user, defaultGroup)
}

async function joinGroup(user: PoolUser, name: string): Promise<void> {
  const GroupName = toPoolGroupName(name)
  await cognito.send(new AdminAddUserToGroupCommand({ ...user, GroupName })).catch((error: unknown) => {
    if (!(error instanceof ResourceNotFoundException)) throw error
    logger.warn('a group for the new account is gone', { error })
  })
}
