import { getDomain } from 'tldts'
import { providerAddresses } from '../../providers/endpoints.ts'
import type { DiscoveredServer } from './discovery.ts'
import { ForeignSignInRefused } from '../store/errors.ts'
import type { RegisteredClientRepository } from '../store/client-repository.ts'
import type { ConnectionTarget } from '../connection-target.ts'

/** A sign-in at another party's authorization server: the user has to agree before its page is opened. */
export interface ForeignSignIn {
  /** host of the MCP server that would receive the tokens */
  server: string
  /** hosts at which the user would sign in */
  signsInAt: string[]
}

/**
 * Whether two URLs belong to the same site: the same origin or, over https, the same registrable domain. Customers of one host
 * (`a.workers.dev`, `b.workers.dev`) are different sites if the public suffix list contains the host.
 */
export function isSameSite(one: string, other: string): boolean {
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
    (known) => isSameSite(address, known) || (domain !== null && domain === getDomain(known)),
  )
}

/**
 * Checks who owns the authorization server that a remote MCP server names, and records the MCP server as one that uses it, if both
 * belong together. The MCP server may use whatever the user grants there, so the user must agree before signing in at another party's
 * server. An authorization server that other MCP servers are known to use is theirs.
 * @param agreedTo hosts that the user has agreed to
 * @returns the sign-in that the user must agree to first, or undefined
 * @throws ForeignSignInRefused when the authorization server is known to belong to another service
 */
export async function checkAuthorizationServer(
  { clients }: { clients: RegisteredClientRepository },
  { entry, isBuiltIn }: Pick<ConnectionTarget, 'entry' | 'isBuiltIn'>,
  { server: { url, issuer, resource }, metadata, protectedResources }: DiscoveredServer,
  agreedTo: readonly string[],
): Promise<ForeignSignIn | undefined> {
  const resourceOrigin = new URL(url).origin
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const isProtected = protectedResources.includes(resource ?? url)
  const addressesByProvider = providerAddresses()
  const foreign = [
    issuer,
    metadata.authorization_endpoint,
    metadata.token_endpoint,
    metadata.registration_endpoint ?? issuer,
  ].filter(
    (address) =>
      !isSameSite(address, url) &&
      !(isProtected && isSameSite(address, issuer)) &&
      // some providers use several domains
      !addressesByProvider.some(
        (known) => isProviderAddress(address, known) && isProviderAddress(url, known),
      ),
  )
  if (isBuiltIn || foreign.length === 0) {
    await clients.addResource({ issuer, resourceOrigin }, nowSeconds)
    return undefined
  }
  const refuse = (address: string): never => {
    throw new ForeignSignInRefused({ name: entry.name, host: new URL(address).host })
  }
  const signsInAt = [...new Set(foreign.map((address) => new URL(address).host))]
  const providerAddress = foreign.find((address) =>
    addressesByProvider.some((known) => isProviderAddress(address, known)),
  )
  if (providerAddress !== undefined) refuse(providerAddress)
  const knownResources = await clients.listResources(issuer, nowSeconds)
  if (knownResources.length > 0 && !knownResources.includes(resourceOrigin)) refuse(issuer)
  if (signsInAt.every((host) => agreedTo.includes(host))) return undefined
  return { server: new URL(url).host, signsInAt }
}
