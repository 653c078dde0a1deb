import {
  CognitoIdentityProviderClient,
  ListUsersCommand,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider'
import type { PreSignUpTriggerEvent } from 'aws-lambda'
import * as z from 'zod'
import { foldEmail, signUpErrors } from '#shared/user-pool.ts'
import { isAtDomain, signUpPolicy } from '#shared/sign-up-policy.ts'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import { parseEnv } from '../platform/env.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { isInvited } from './invitations.ts'

const nameLimit = 200

const { SIGN_UP: policy, TABLE_NAME } = parseEnv({ SIGN_UP: signUpPolicy, TABLE_NAME: z.string() })
const cognito = new CognitoIdentityProviderClient(clientTimeouts(2_000))
const table = openTable(TABLE_NAME)

/**
 * Cognito's PreSignUp trigger: who may have an account (ADR 0026). What it throws reaches the page as "PreSignUp failed with
 * error …". The policy is asked before any account is looked up, so that a closed site answers alike for every address.
 *
 * Two accounts never become one by e-mail alone, and the second way in is refused, in either order (DEC-118). Only an account
 * whose address is verified keeps others out, because only that one has shown that the address is its own.
 *
 * An account that an operator makes (PreSignUp_AdminCreateUser) passes.
 * @throws Error for a sign-up without a name or with one over 200 characters, for an address that the policy does not admit and
 * nobody has invited, for a sign-up with the e-mail of a Google account, and for a first sign-in with Google whose e-mail has
 * an account with a password
 */
export async function handler(event: PreSignUpTriggerEvent): Promise<PreSignUpTriggerEvent> {
  const { name = '', email = '', email_verified: verified } = event.request.userAttributes
  if (event.triggerSource === 'PreSignUp_SignUp') {
    requireName(name)
    await requireAdmission(email)
    if ((await findVerifiedUsers(event.userPoolId, email)).some(isFederated))
      throw accountExists('with Google')
  }
  if (event.triggerSource === 'PreSignUp_ExternalProvider') {
    // no mail goes to this address: what Google says is all the proof there is
    if (policy.mode !== 'open' && verified !== 'true') throw new Error(signUpErrors[policy.mode])
    // whose address it is may know of the account: said first, it tells them how to sign in
    if ((await findVerifiedUsers(event.userPoolId, email)).some((user) => !isFederated(user)))
      throw accountExists('with your password')
    await requireAdmission(email)
  }
  return event
}

/** @throws Error when neither the policy nor an invitation admits the address, the one that a code would be mailed to */
async function requireAdmission(email: string): Promise<void> {
  if (policy.mode === 'open' || isAtDomain(email, policy.domains)) return
  if (!(await isInvited(table, email, Date.now()))) throw new Error(signUpErrors[policy.mode])
}

const accountExists = (how: string): Error =>
  new Error(`An account with this email already exists. Please sign in ${how} instead`)

function requireName(name: string): void {
  if (!name.trim()) throw new Error('A name is required')
  if (name.length > nameLimit) throw new Error(`The name is longer than ${nameLimit} characters`)
}

const isFederated = ({ UserStatus }: UserType): boolean => UserStatus === 'EXTERNAL_PROVIDER'

/**
 * Every account that has shown that an e-mail address is its own. The address names only accounts with a password, so looking
 * one up by name is not enough.
 */
async function findVerifiedUsers(userPoolId: string, email: string): Promise<UserType[]> {
  if (!email) return []
  const value = foldEmail(email).replaceAll(/["\\]/g, String.raw`\$&`)
  const { Users = [] } = await cognito.send(
    new ListUsersCommand({ UserPoolId: userPoolId, Filter: `email = "${value}"` }),
  )
  return Users.filter(
    ({ UserStatus, Attributes = [] }) =>
      UserStatus !== 'UNCONFIRMED' &&
      Attributes.some(({ Name, Value }) => Name === 'email_verified' && Value === 'true'),
  )
}
