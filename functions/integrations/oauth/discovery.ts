import { saySetUp } from '#shared/sentences/set-ups.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { buildDiscoveryUrls, checkResourceAllowed } from '@modelcontextprotocol/client'
import * as z from 'zod'
import { parseJson } from '#shared/parse-json.ts'
import { LoggableError } from '../../platform/errors.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import type { OutboundHttp } from '../../platform/net/outbound-http.ts'
import type { Challenge } from '../../mcp/connection.ts'
import type { RemoteServer } from '../store/credential-repository.ts'

export interface DiscoveredServer {
  server: Omit<RemoteServer, 'client_auth'>
  authUrl: string
  scope: string | undefined
  /** whether it accepts the URL of a client metadata document as client id, and each response says from whom it comes */
  supportsClientMetadataDocument: boolean
  /** the resources that the authorization server lists (RFC 9728 section 4) */
  protectedResources: readonly string[]
  metadata: ServerMetadata
}

/** A server publishes nothing that a sign-in could start with. */
export interface UnusableMetadata {
  /** what was found, as the end of a sentence about the server */
  problem: Sentence
}

const optional = <Type extends z.ZodType>(type: Type) => type.optional().catch(undefined)
const isWebUrl = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')
const webUrl = z.string().max(2_000).refine(isWebUrl)
const names = optional(z.array(z.string().max(2_000)).max(1_000))

/** What is read of RFC 9728 section 2. */
const resourceMetadataShape = z.object({
  resource: webUrl,
  authorization_servers: z.array(z.string()).catch([]),
  scopes_supported: names,
})

/** What is read of RFC 8414 section 2 and of OpenID Connect Discovery section 3. Optional fields that cannot be read count as absent. */
const serverMetadataShape = z.object({
  issuer: webUrl,
  authorization_endpoint: webUrl,
  token_endpoint: webUrl,
  registration_endpoint: optional(webUrl),
  revocation_endpoint: optional(webUrl),
  response_types_supported: names,
  code_challenge_methods_supported: names,
  token_endpoint_auth_methods_supported: names,
  scopes_supported: names,
  protected_resources: z.array(z.string()).catch([]),
  authorization_response_iss_parameter_supported: optional(z.boolean()),
  client_id_metadata_document_supported: optional(z.boolean()),
})
export type ServerMetadata = z.output<typeof serverMetadataShape>

type Http = Pick<OutboundHttp, 'fetch' | 'check'>

/** Of those that a resource names. */
const maxAuthorizationServers = 5
const maxDocumentCharacters = 1_000_000

/** A document of metadata, in which null and "" count as absent; undefined if there is none. @throws Error why it cannot be read */
async function readDocument({ fetch }: Http, url: URL): Promise<Record<string, unknown> | undefined> {
  const response = await fetch(url, { headers: { accept: 'application/json' } })
  const text = await response.text()
  if (response.status === 404 || response.status === 405) return undefined
  if (!response.ok) throw new LoggableError(`status ${response.status} for metadata`)
  if (text.length > maxDocumentCharacters) throw new LoggableError('the metadata is too long')
  const body = parseJson(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new LoggableError('the metadata is not a JSON object')
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''))
}

/**
 * The first document that can be used, in the order of the addresses. One that cannot does not end the search.
 * @returns undefined if there is none, with what was wrong with those that were there
 */
async function findUsable<Document>(
  http: Http,
  urls: readonly URL[],
  read: (body: Record<string, unknown>) => Document,
  problems: unknown[],
): Promise<Document | undefined> {
  for (const url of urls) {
    try {
      const body = await readDocument(http, url)
      if (body) return read(body)
    } catch (error) {
      problems.push(error)
    }
  }
  return undefined
}

const withoutSlash = (address: string) => (address.endsWith('/') ? address.slice(0, -1) : address)

/** Whether two issuers are one: many servers write theirs with a slash at the end in one place and without it in the other. */
const isSameIssuer = (one: string, other: string) => withoutSlash(one) === withoutSlash(other)

/** RFC 9728 section 3.1, with the address of the challenge first. */
function buildResourceMetadataUrls(url: string, { resourceMetadataUrl }: Challenge): URL[] {
  const { pathname, search, origin } = new URL(url)
  const wellKnown = '/.well-known/oauth-protected-resource'
  const urls = [
    ...(resourceMetadataUrl ? [resourceMetadataUrl] : []),
    ...(pathname === '/' ? [] : [new URL(`${wellKnown}${withoutSlash(pathname)}${search}`, origin)]),
    new URL(wellKnown, origin),
    // the paths of some servers end with a slash
    ...(pathname === '/' ? [] : [new URL(`${wellKnown}${withoutSlash(pathname)}/${search}`, origin)]),
  ]
  return [...new Map(urls.map((one) => [one.href, one])).values()]
}

/**
 * RFC 8414 section 3.1 and OpenID Connect Discovery section 4, then where Okta and others have it, too (punkpeye/mcp-remote#207), then at the
 * root, for servers that are named by the address of an endpoint (cloudflare/agents#686).
 */
function buildServerMetadataUrls(issuer: string): URL[] {
  const behind = new URL(`${withoutSlash(issuer)}/.well-known/oauth-authorization-server`)
  const urls = [issuer, new URL('/', issuer)].flatMap((one) => buildDiscoveryUrls(one).map(({ url }) => url))
  return [
    ...new Map([...urls.slice(0, -2), behind, ...urls.slice(-2)].map((url) => [url.href, url])).values(),
  ]
}

/**
 * Under which names the authorization server is looked for: those that the resource has, else that of the MCP server's origin, or its whole
 * address, where servers share an origin (anthropics/claude-ai-mcp#367).
 */
function listIssuers(url: string, named: readonly string[] = []): string[] {
  const usable = named.filter(isWebUrl).slice(0, maxAuthorizationServers)
  if (usable.length > 0) return usable
  const { origin, pathname } = new URL(url)
  return [...new Set([`${origin}/`, `${origin}${pathname}`])]
}

/**
 * Discovers the authorization server of a remote MCP server (RFC 9728, RFC 8414, OpenID Connect Discovery).
 * @returns the problem if the server publishes no metadata, or none that can be used and trusted
 */
export async function discoverServer(
  http: Http,
  url: string,
  challenge: Challenge,
): Promise<DiscoveredServer | UnusableMetadata> {
  const problems: unknown[] = []
  const resourceMetadata = await findUsable(
    http,
    buildResourceMetadataUrls(url, challenge),
    (body) => readResourceMetadata(url, body),
    problems,
  )
  // what belongs to another resource names the authorization server of another one: it is not guessed then
  if (!resourceMetadata && problems.some((one) => one instanceof OtherResource))
    return toProblem(problems, saySetUp('discovery.other_resource'))
  const asked = new Set<string>()
  for (const issuer of listIssuers(url, resourceMetadata?.authorization_servers)) {
    const addresses = buildServerMetadataUrls(issuer).filter(({ href }) => !asked.has(href))
    for (const { href } of addresses) asked.add(href)
    const metadata = await findUsable(
      http,
      addresses,
      (body) => readServerMetadata(http, issuer, body),
      problems,
    )
    if (metadata) {
      const scope = challenge.scope ?? resourceMetadata?.scopes_supported?.join(' ')
      return toDiscoveredServer({ url, issuer, scope, resource: resourceMetadata?.resource, metadata })
    }
  }
  const [reason] = problems.filter((one) => one instanceof UnusableServer)
  return toProblem(
    problems,
    reason?.sentence ?? saySetUp(problems.length > 0 ? 'discovery.unreadable' : 'discovery.none'),
  )
}

function toProblem(problems: readonly unknown[], problem: Sentence): UnusableMetadata {
  for (const error of problems) logger.warn('the authorization server metadata cannot be used', { error })
  return { problem }
}

class OtherResource extends LoggableError {}
/** The sentence is the end of one for the user. */
class UnusableServer extends LoggableError {
  readonly sentence: Sentence

  constructor(sentence: Sentence) {
    super(sentence.text)
    this.sentence = sentence
  }
}

/** @throws OtherResource, ZodError */
function readResourceMetadata(url: string, body: Record<string, unknown>) {
  const metadata = resourceMetadataShape.parse(body)
  const { resource } = metadata
  const isOwn = [resource, withoutSlash(resource)].some((configuredResource) =>
    checkResourceAllowed({ requestedResource: url, configuredResource }),
  )
  if (!isOwn) throw new OtherResource('the metadata belongs to another resource')
  return metadata
}

/**
 * @param issuer under which the metadata was looked for
 * @throws UnusableServer, ZodError, AddressForbidden
 */
function readServerMetadata(http: Http, issuer: string, body: Record<string, unknown>): ServerMetadata {
  const metadata = serverMetadataShape.parse(body)
  // RFC 8414 section 3.3 wants the same. Another path of the same origin is taken, which some servers name: then the redirect URI has to
  // be one of its own (`toDiscoveredServer`).
  if (new URL(metadata.issuer).origin !== new URL(issuer).origin)
    throw new UnusableServer(saySetUp('discovery.other_name'))
  const methods = metadata.code_challenge_methods_supported
  if (methods && !methods.includes('S256')) throw new UnusableServer(saySetUp('discovery.no_pkce'))
  if (metadata.response_types_supported?.includes('code') === false)
    throw new UnusableServer(saySetUp('discovery.no_code_flow'))
  // Mix-up attack: a server could name another server's authorization endpoint to receive its codes. So the endpoint must be at the
  // issuer's origin, or responses must carry `iss`.
  const sendsIss = metadata.authorization_response_iss_parameter_supported === true
  if (!sendsIss && new URL(metadata.authorization_endpoint).origin !== new URL(metadata.issuer).origin)
    throw new UnusableServer(saySetUp('discovery.other_origin'))
  for (const address of [metadata.authorization_endpoint, metadata.token_endpoint]) http.check(address)
  return metadata
}

function toDiscoveredServer({
  url,
  issuer,
  scope,
  resource,
  metadata,
}: {
  url: string
  issuer: string
  scope: string | undefined
  resource: string | undefined
  metadata: ServerMetadata
}): DiscoveredServer {
  const sendsIss = metadata.authorization_response_iss_parameter_supported === true
  const { revocation_endpoint: revokeUrl } = metadata
  return {
    server: {
      url,
      issuer: metadata.issuer,
      names_itself: sendsIss,
      token_url: metadata.token_endpoint,
      ...(revokeUrl !== undefined && { revoke_url: revokeUrl }),
      ...(resource !== undefined && { resource }),
    },
    authUrl: metadata.authorization_endpoint,
    scope: buildScope(scope, metadata),
    // servers that read the document share a redirect URI: an issuer must be known to the letter there
    supportsClientMetadataDocument:
      metadata.client_id_metadata_document_supported === true &&
      sendsIss &&
      isSameIssuer(metadata.issuer, issuer),
    protectedResources: metadata.protected_resources,
    metadata,
  }
}

/** Longer than any list of scopes that is known; browsers and servers refuse addresses of more than some 8 KB. */
const maxScopeCharacters = 2_000

/**
 * The scopes that are requested, each once. Of a list that is too long none is: then the authorization server decides (RFC 6749 section 3.3),
 * which is better than some of them.
 */
export function limitScopes(requested: string | undefined): string | undefined {
  const scopes = [...new Set((requested ?? '').split(' '))].filter((scope) => scope !== '').join(' ')
  if (scopes.length <= maxScopeCharacters) return scopes || undefined
  logger.warn('a server names too many scopes', { count: scopes.length })
  return undefined
}

/** The scopes that the server requests, plus `offline_access` if it is supported. */
function buildScope(requested: string | undefined, { scopes_supported: supported }: ServerMetadata) {
  const scopes = limitScopes(requested)?.split(' ') ?? []
  if (supported?.includes('offline_access') && !scopes.includes('offline_access'))
    scopes.push('offline_access')
  return scopes.length > 0 ? scopes.join(' ') : undefined
}
