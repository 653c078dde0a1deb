import { getDomain } from 'tldts'
import { providerAddresses } from '../../providers/endpoints.ts'
import type { DiscoveredServer } from './discovery.ts'
import { ForeignSignInRefused } from '../errors.ts'
import type { RegisteredClientRepository } from './registration.ts'
import type { Target } from '../target.ts'

/** A sign-in at another party's authorization server: the user has to agree before the window opens it. */
export interface ForeignSignIn {
  /** host of the MCP server that would receive the tokens */
  server: string
  /** hosts at which the user would sign in */
  signsInAt: string[]
}

/**
 * Whether two URLs belong to the same party: the same registrable domain or the same origin. Customers of one host
 * (`a.workers.dev`, `b.workers.dev`) are different parties if the public suffix list contains the host.
 */
export function isSameParty(one: string, other: string): boolean {
  const [first, second] = [new URL(one), new URL(other)]
  if (first.origin === second.origin) return true
  if (first.protocol !== 'https:' || second.protocol !== 'https:') return false
  const domain = getDomain(first.hostname, domainOptions)
  return domain !== null && domain === getDomain(second.hostname, domainOptions)
}

/** Counts each customer of a shared host as a separate party. */
const domainOptions = { allowPrivateDomains: true }

/** Whether a URL is the provider's, or is at a domain where its customers have subdomains (`{shop}.myshopify.com`). */
function isProviderAddress(address: string, knownAddresses: readonly string[]): boolean {
  const domain = getDomain(address)
  return knownAddresses.some(
    (known) => isSameParty(address, known) || (domain !== null && domain === getDomain(known)),
  )
}

/**
 * Checks who owns the authorization server that a remote MCP server names. The MCP server may use whatever the user grants there, so
 * the user must agree before signing in at another party's server.
 * @param agreedTo hosts that the user has agreed to
 * @returns the sign-in that the user must agree to first, or undefined
 * @throws ForeignSignInRefused when the authorization server is known to belong to another service
 */
export async function checkServerOwner(
  { clients }: { clients: RegisteredClientRepository },
  { entry, provider }: Target,
  { server: { url, issuer, resource }, metadata, listedResources }: DiscoveredServer,
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
      // some providers use several domains
      !providers.some((known) => isProviderAddress(address, known) && isProviderAddress(url, known)),
  )
  // URLs of built-in providers come from the product itself
  if (provider || foreign.length === 0) {
    await clients.addResource({ issuer, resourceOrigin }, nowSeconds)
    return undefined
  }
  const signsInAt = [...new Set(foreign.map((address) => new URL(address).host))]
  const providerAddress = foreign.find((address) =>
    providers.some((known) => isProviderAddress(address, known)),
  )
  if (providerAddress !== undefined) throw new ForeignSignInRefused(entry.name, new URL(providerAddress).host)
  const owners = await clients.resourcesAt(issuer, nowSeconds)
  if (owners.length > 0 && !owners.includes(resourceOrigin))
    throw new ForeignSignInRefused(entry.name, new URL(issuer).host)
  if (signsInAt.every((host) => agreedTo.includes(host))) return undefined
  return { server: new URL(url).host, signsInAt }
}
