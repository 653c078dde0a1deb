import { CognitoIdentityProviderClient, ListUsersCommand } from '@aws-sdk/client-cognito-identity-provider'
import type { PreSignUpTriggerEvent } from 'aws-lambda'
import * as z from 'zod'
import { isAtDomain, signUpPolicy } from '#shared/sign-up-policy.ts'
import { invitationSecretKey } from '#shared/user-pool.ts'
import { buildEmailFilter } from '../platform/auth/pool-accounts.ts'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import { parseEnv } from '../platform/env.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { findSignUpPolicy } from '../platform/sign-up-policy.ts'
import { siteSettingsReader } from '../platform/site-settings.ts'
import { isInvited, redeemSecret } from './invitations.ts'
import { isFederated, providerAccounts, toTriggerAttributes } from './provider-accounts.ts'
import { providerVariables } from './provider-variables.ts'
import {
  referTo,
  refuseExisting,
  refuseExistingPassword,
  refusePassword,
  refuseProvider,
  refuseSignUp,
  requireName,
} from './refusals.ts'
import { trigger } from './trigger.ts'

const {
  SIGN_UP: configuredPolicy,
  TABLE_NAME,
  IDENTITY_PROVIDERS,
  PASSWORD_SIGN_IN: passwordSignIn,
} = parseEnv({
  SIGN_UP: signUpPolicy,
  TABLE_NAME: z.string(),
  PASSWORD_SIGN_IN: z.enum(['on', 'off']),
  ...providerVariables,
})
const cognito = new CognitoIdentityProviderClient(clientTimeouts(2_000))
const table = openTable(TABLE_NAME)
const providers = providerAccounts(IDENTITY_PROVIDERS)
const loadSiteSettings = siteSettingsReader(table)
/** An administrator's policy counts over the deployment's. */
const loadPolicy = async () => findSignUpPolicy(await loadSiteSettings(), configuredPolicy)

/**
 * Cognito's PreSignUp trigger: decides who may have an account (ADR 0026, 0074). The
 * policy is checked before any account is looked up, so that a closed site responds the same for every address.
 *
 * An e-mail address has one account, with a password or with one identity provider; the second is rejected. Only accounts with a verified
 * address count, because only they have proved that they own it.
 *
 * Who has the secret of a mailed invitation has read the mail at that address: the account is confirmed at once. The address alone confirms nothing.
 *
 * Accounts that an operator creates (PreSignUp_AdminCreateUser) are always accepted.
 * @throws Refusal if the name is missing or longer than 200 characters, if neither the policy nor an invitation nor a provider's domain admits the
 * address, or if the address has to sign in another way
 */
export const handler = trigger(async (event: PreSignUpTriggerEvent) => {
  if (event.triggerSource === 'PreSignUp_SignUp' && (await admitPasswordUser(event))) {
    event.response.autoConfirmUser = true
    event.response.autoVerifyEmail = true
  }
  if (event.triggerSource === 'PreSignUp_ExternalProvider') await admitProviderUser(event)
  return event
})

/** @returns whether the user has proved the address, by the secret of a mailed invitation */
async function admitPasswordUser({ userPoolId, request }: PreSignUpTriggerEvent): Promise<boolean> {
  const { name = '', email = '' } = request.userAttributes
  if (passwordSignIn === 'off') throw refusePassword()
  requireName(name)
  const provider = providers.findByDomain(email)
  if (provider) throw referTo(provider)
  await requireAdmission(email)
  const accounts = await findAccounts(userPoolId, email)
  const other = selectProven(accounts).find(isFederated)
  if (other) throw refuseExisting(providers.identify(other))
  const secret = request.clientMetadata?.[invitationSecretKey]
  // the pool refuses a name that is taken after this: the secret would be lost
  if (secret === undefined || accounts.some((account) => !isFederated(account))) return false
  return redeemSecret(table, { email, secret, nowMs: Date.now() })
}

async function admitProviderUser({ userPoolId, userName, request }: PreSignUpTriggerEvent): Promise<void> {
  const { email = '', email_verified: verified } = request.userAttributes
  const provider = providers.findByUsername(userName)
  if (!provider) throw refuseProvider()
  const domainProvider = providers.findByDomain(email)
  if (domainProvider && domainProvider !== provider) throw referTo(domainProvider)
  // the provider of a domain vouches for its addresses, whatever it says about their verification
  const isVouchedFor = isAtDomain(email, provider.domains)
  const policy = await loadPolicy()
  // no mail is sent to this address, so only the provider can prove that the user owns it
  if (!isVouchedFor && policy.mode !== 'open' && verified !== 'true') throw refuseSignUp(policy.mode)
  // before the policy check: the proven owner of the address may learn of the account, and how to sign in
  const accounts = selectProven(await findAccounts(userPoolId, email))
  if (accounts.some((account) => !isFederated(account))) throw refuseExistingPassword(passwordSignIn === 'on')
  const other = accounts
    .map((account) => providers.identify(account))
    .find(({ name }) => name !== provider.name)
  if (other) throw refuseExisting(other)
  if (!isVouchedFor) await requireAdmission(email)
}

/** @throws Refusal if neither the policy nor an invitation admits the address */
async function requireAdmission(email: string): Promise<void> {
  const policy = await loadPolicy()
  if (policy.mode === 'open' || isAtDomain(email, policy.domains)) return
  if (!(await isInvited(table, email, Date.now()))) throw refuseSignUp(policy.mode)
}

/**
 * Finds the accounts with this e-mail address. Only accounts with a password have the address as their username, so a look-up by username is
 * not enough.
 * @returns their attributes, with the status as triggers get it
 */
async function findAccounts(userPoolId: string, email: string): Promise<Record<string, string>[]> {
  if (!email) return []
  const { Users = [] } = await cognito.send(
    new ListUsersCommand({ UserPoolId: userPoolId, Filter: buildEmailFilter(email) }),
  )
  return Users.map(toTriggerAttributes)
}

/** The confirmed accounts whose owners have proved their e-mail address. */
const selectProven = (accounts: readonly Record<string, string>[]) =>
  accounts.filter(
    (account) => account['cognito:user_status'] !== 'UNCONFIRMED' && providers.isEmailProven(account),
  )
