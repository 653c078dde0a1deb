import { getDomain } from 'tldts'
import { providerAddresses } from '../../providers/endpoints.ts'
import type { Discovered } from './discovery.ts'
import { ForeignSignInRefused } from '../errors.ts'
import type { RegisteredClientRepository } from './registration.ts'
import type { Target } from '../target.ts'

/** A sign-in at somebody else's: the person has to agree before the window goes there. */
export interface ForeignSignIn {
  /** host of the server that would get the tokens */
  server: string
  /** hosts at which it has the person sign in */
  signsInAt: string[]
}

/**
 * Whether two addresses belong to one party: to one registrable domain, or to the very same origin. Customers of one host
 * (`a.workers.dev`, `b.workers.dev`) are two parties, as far as the public suffix list knows the host.
 */
export function isSameParty(one: string, other: string): boolean {
  const [first, second] = [new URL(one), new URL(other)]
  if (first.origin === second.origin) return true
  if (first.protocol !== 'https:' || second.protocol !== 'https:') return false
  const domain = getDomain(first.hostname, apart)
  return domain !== null && domain === getDomain(second.hostname, apart)
}

/** Customers of a host count as parties of their own. */
const apart = { allowPrivateDomains: true }

/** Whether an address is a provider's, or at a domain at which it gives its customers names (`{shop}.myshopify.com`). */
function isAmong(address: string, ofProvider: readonly string[]): boolean {
  const domain = getDomain(address)
  return ofProvider.some(
    (known) => isSameParty(address, known) || (domain !== null && domain === getDomain(known)),
  )
}

/**
 * Looks whose authorization server it is that a remote MCP server has people sign in at. What they allow there, the server may use,
 * so one that is somebody else's is never signed in to without a word.
 * @param agreedTo the hosts that the person has agreed to
 * @returns what the person has to agree to first; undefined: nothing
 * @throws ForeignSignInRefused when it is known whose it is, and it is another's
 */
export async function checkOwner(
  { clients }: { clients: RegisteredClientRepository },
  { entry, provider }: Target,
  { server: { url, issuer, resource }, metadata, listedResources }: Discovered,
  agreedTo: readonly string[],
): Promise<ForeignSignIn | undefined> {
  const resourceOrigin = new URL(url).origin
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const isListed = listedResources.includes(resource ?? url)
  const providers = providerAddresses()
  const foreign = [
    issuer,
    metadata.authorization_endpoint,
    metadata.token_endpoint,
    metadata.registration_endpoint ?? issuer,
  ].filter(
    (address) =>
      !isSameParty(address, url) &&
      !(isListed && isSameParty(address, issuer)) &&
      // some providers have several domains
      !providers.some((known) => isAmong(address, known) && isAmong(url, known)),
  )
  // the product itself names the servers of the providers that it knows
  if (provider || foreign.length === 0) {
    await clients.addResource({ issuer, resourceOrigin }, nowSeconds)
    return undefined
  }
  const signsInAt = [...new Set(foreign.map((address) => new URL(address).host))]
  const ofProvider = foreign.find((address) => providers.some((known) => isAmong(address, known)))
  if (ofProvider !== undefined) throw new ForeignSignInRefused(entry.name, new URL(ofProvider).host)
  const owners = await clients.resourcesAt(issuer, nowSeconds)
  if (owners.length > 0 && !owners.includes(resourceOrigin))
    throw new ForeignSignInRefused(entry.name, new URL(issuer).host)
  if (signsInAt.every((host) => agreedTo.includes(host))) return undefined
  return { server: new URL(url).host, signsInAt }
}
