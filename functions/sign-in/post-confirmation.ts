import {
  AdminSetUserMFAPreferenceCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider'
import type { PostConfirmationTriggerEvent } from 'aws-lambda'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { replacePasswordKey } from '#shared/user-pool.ts'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import { parseEnv } from '../platform/env.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { tokenRevoker } from '../platform/auth/token-revocation.ts'
import { redeemInvitation } from './invitations.ts'

const { TABLE_NAME } = parseEnv({ TABLE_NAME: z.string() })
const cognito = new CognitoIdentityProviderClient(clientTimeouts(2_000))
const table = openTable(TABLE_NAME)
const revocation = tokenRevoker(table)

/**
 * Cognito's PostConfirmation trigger. Whoever resets a password may do so because somebody else has it: every session of the account
 * ends, at the pool and, by a mark on the user, at the functions. Cognito itself ends none.
 *
 * An account may be signed up by somebody who does not own the address. Where its owner confirms it from a browser that did not choose
 * the password, the page says so, and nobody signs in with that password: it is replaced before the owner chooses one by a reset.
 *
 * An invitation makes one account: it is used up when the account is confirmed, by nobody but the owner of the address.
 * @throws what Cognito and the table throw; the page then tells that other sessions may go on. Each step can be repeated
 */
export async function handler(event: PostConfirmationTriggerEvent): Promise<PostConfirmationTriggerEvent> {
  const { triggerSource, userPoolId: UserPoolId, userName: Username, request } = event
  if (triggerSource === 'PostConfirmation_ConfirmSignUp')
    // one that cannot be removed now ends by itself
    await redeemInvitation(table, request.userAttributes['email'] ?? '').catch((error: unknown) =>
      logger.warn('the invitation could not be removed', { error }),
    )
  const isReset = triggerSource === 'PostConfirmation_ConfirmForgotPassword'
  const isForeign = request.clientMetadata?.[replacePasswordKey] === 'true'
  if (!isReset && !isForeign) return event

  const user = { UserPoolId, Username }
  if (!isReset) {
    const Password = randomBytes(90).toString('base64url')
    await cognito.send(new AdminSetUserPasswordCommand({ ...user, Password, Permanent: true }))
  }
  await cognito.send(new AdminUserGlobalSignOutCommand(user))
  // somebody who signed in at once with the password before may have put a factor of their own in the owner's way
  if (!isReset)
    await cognito.send(
      new AdminSetUserMFAPreferenceCommand({
        ...user,
        SoftwareTokenMfaSettings: { Enabled: false, PreferredMfa: false },
      }),
    )
  const nowMs = Date.now()
  await revocation.revoke(request.userAttributes['sub'] ?? Username, 'signed-out', nowMs)
  // tokens tell the second they were made in: the owner's next sign-in is told apart
  await sleep(1_000 - (nowMs % 1_000))
  return event
}
