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
 * Cognito's PreSignUp trigger: decides who may have an account (ADR 0026). Errors reach the page as "PreSignUp failed with error …". The
 * policy is checked before any account is looked up, so that a closed site responds the same for every address.
 *
 * An e-mail address has either an account with a password or one with Google; the second is rejected. Only accounts with a verified address
 * count, because only they have proved that they own it.
 *
 * Accounts that an operator creates (PreSignUp_AdminCreateUser) are always accepted.
 * @throws Error if the name is missing or longer than 200 characters, if neither the policy nor an invitation admits the address, or if the
 * address has an account of the other kind
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
    // no mail is sent to this address, so only Google can prove that the user owns it
    if (policy.mode !== 'open' && verified !== 'true') throw new Error(signUpErrors[policy.mode])
    // before the policy check: the proven owner of the address may learn of the account, and how to sign in
    if ((await findVerifiedUsers(event.userPoolId, email)).some((user) => !isFederated(user)))
      throw accountExists('with your password')
    await requireAdmission(email)
  }
  return event
}

/** @throws Error if neither the policy nor an invitation admits the address */
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
 * Finds the confirmed accounts with a verified e-mail address. Only accounts with a password have the address as their username, so a
 * look-up by username is not enough.
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
