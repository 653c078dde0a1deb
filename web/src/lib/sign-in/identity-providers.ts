import type { PublicIdentityProvider } from '#shared/identity-providers.ts'
import { foldEmail } from '#shared/user-pool.ts'
import type { AppConfig } from '../api/config.ts'

/** Its name in the user pool, and what users call it. */
const googleName = 'Google'
/** Google, which has its own configuration, without domains. */
export const google: PublicIdentityProvider = { name: googleName, label: googleName, domains: [] }

/** The identity providers in the order of their buttons: the operator's own first. */
export function listProviders({
  identityProviders = [],
  googleSignIn = true,
}: Pick<AppConfig, 'identityProviders' | 'googleSignIn'>): readonly PublicIdentityProvider[] {
  return googleSignIn ? [...identityProviders, google] : identityProviders
}

/** The identity provider of a site that has exactly one. */
export function findOnlyProvider(
  config: Pick<AppConfig, 'identityProviders' | 'googleSignIn'>,
): PublicIdentityProvider | undefined {
  const [provider, ...others] = listProviders(config)
  return others.length === 0 ? provider : undefined
}

/** The provider at which the users of an e-mail address's domain sign in. */
export function findProviderByEmail(
  providers: readonly PublicIdentityProvider[],
  email: string,
): PublicIdentityProvider | undefined {
  const domain = foldEmail(email.slice(email.lastIndexOf('@') + 1))
  return email.includes('@') ? providers.find(({ domains }) => domains.includes(domain)) : undefined
}
