import type { JWT } from '@aws-amplify/core'

/** The signed-in user, from the claims of the ID token. */
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

/** Reads the user from an ID token. Claims that are missing become empty texts. */
export function toSignedInUser({ payload }: JWT): SignedInUser {
  const text = (claim: unknown) => (typeof claim === 'string' ? claim : '')
  return {
    sub: text(payload.sub),
    email: text(payload['email']),
    fullName: text(payload['name']),
    ...(payload['identities'] !== undefined && { provider: readProviderName(payload['identities']) }),
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
