import { twoFactorClaim } from '#shared/two-factor-claim.ts'
import type { StoredTokens } from './stored-tokens.ts'

/** The signed-in user, from the claims of the tokens. */
export interface SignedInUser {
  sub: string
  email: string
  /** empty when the account has none */
  fullName: string
  /** name of the identity provider; its users have no password and no second factor in the user pool */
  provider?: string
  /** has to set up a second factor before anything else */
  mustSetUpTwoFactor?: true
}

/** Reads the user from the tokens. Claims that are missing become empty texts. */
export function toSignedInUser({ idClaims, accessClaims }: StoredTokens): SignedInUser {
  const text = (claim: unknown) => (typeof claim === 'string' ? claim : '')
  const { identities } = idClaims
  return {
    sub: text(idClaims['sub']),
    email: text(idClaims['email']),
    fullName: text(idClaims['name']),
    ...(identities !== undefined && { provider: readProviderName(identities) }),
    ...(accessClaims[twoFactorClaim] === 'required' && { mustSetUpTwoFactor: true }),
  }
}

/**
 * Reads the name of the identity provider. A claim in another form counts as Google's.
 * @param identities the claim: a list with one identity, as accounts are not linked
 */
function readProviderName(identities: unknown): string {
  const [identity] = Array.isArray(identities) ? (identities as ({ providerName?: unknown } | null)[]) : []
  return typeof identity?.providerName === 'string' ? identity.providerName : 'Google'
}
