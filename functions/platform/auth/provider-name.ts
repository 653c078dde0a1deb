import * as z from 'zod'

const identityList = z.array(z.object({ providerName: z.string() }))

/**
 * The identity provider of an account, as the user pool names it.
 * @param identities the attribute of that name: JSON that only the pool writes
 * @returns undefined for accounts with a password
 */
export function parseProviderName(identities: string | undefined): string | undefined {
  if (!identities) return undefined
  return identityList.parse(JSON.parse(identities))[0]?.providerName
}
