import {
  checkResourceAllowed,
  discoverOAuthServerInfo,
  type AuthorizationServerMetadata,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client'
import * as z from 'zod'
import { LoggableError } from '../../platform/errors.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import type { OutboundHttp } from '../../platform/net/outbound-http.ts'
import type { Challenge } from '../../mcp/connection.ts'
import type { RemoteServer } from '../credential-repository.ts'

export interface DiscoveredServer {
  server: Omit<RemoteServer, 'client_auth'>
  authUrl: string
  scope: string | undefined
  /** whether it accepts the URL of a client metadata document as client id */
  supportsClientMetadataDocument: boolean
  /** the resources that the authorization server lists (RFC 9728 section 4) */
  protectedResources: readonly string[]
  metadata: AuthorizationServerMetadata
}

const listing = z.object({ protected_resources: z.array(z.string()).catch([]) })

/**
 * Discovers the authorization server of a remote MCP server (RFC 9728, RFC 8414, OpenID Connect Discovery).
 * @returns undefined if the server publishes no metadata or its metadata cannot be trusted
 */
export async function discoverServer(
  http: Pick<OutboundHttp, 'fetch' | 'check'>,
  url: string,
  { resourceMetadataUrl, scope }: Challenge,
): Promise<DiscoveredServer | undefined> {
  try {
    const { authorizationServerMetadata: metadata, resourceMetadata } = await discoverOAuthServerInfo(url, {
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      fetchFn: http.fetch,
    })
    if (!metadata) return undefined
    const sendsIss = metadata.authorization_response_iss_parameter_supported === true
    for (const address of [metadata.authorization_endpoint, metadata.token_endpoint]) http.check(address)
    checkMetadata(url, { metadata, resourceMetadata, sendsIss })
    const revokeUrl = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined
    return {
      server: {
        url,
        issuer: metadata.issuer,
        names_itself: sendsIss,
        token_url: metadata.token_endpoint,
        ...(typeof revokeUrl === 'string' && { revoke_url: revokeUrl }),
        ...(resourceMetadata && { resource: resourceMetadata.resource }),
      },
      authUrl: metadata.authorization_endpoint,
      scope: buildScope(scope ?? resourceMetadata?.scopes_supported?.join(' '), metadata),
      supportsClientMetadataDocument: metadata.client_id_metadata_document_supported === true,
      protectedResources: listing.parse(metadata).protected_resources,
      metadata,
    }
  } catch (error) {
    logger.warn('the authorization server metadata cannot be used', { error })
    return undefined
  }
}

/** @throws LoggableError with the reason */
function checkMetadata(
  url: string,
  {
    metadata,
    resourceMetadata,
    sendsIss,
  }: {
    metadata: AuthorizationServerMetadata
    resourceMetadata: OAuthProtectedResourceMetadata | undefined
    sendsIss: boolean
  },
): void {
  const methods = metadata.code_challenge_methods_supported
  if (methods && !methods.includes('S256')) throw new LoggableError('PKCE with S256 is not supported')
  if (!metadata.response_types_supported.includes('code'))
    throw new LoggableError('the authorization code flow is not supported')
  if (
    resourceMetadata &&
    !checkResourceAllowed({ requestedResource: url, configuredResource: resourceMetadata.resource })
  )
    throw new LoggableError('the metadata belongs to another resource')
  // Mix-up attack: a server could name another server's authorization endpoint to receive its codes. So the endpoint must be at the
  // issuer's origin, or responses must carry `iss`.
  if (!sendsIss && new URL(metadata.authorization_endpoint).origin !== new URL(metadata.issuer).origin)
    throw new LoggableError('the authorization endpoint is at another origin')
}

/** The scopes that the server requests, plus `offline_access` if it is supported. */
function buildScope(
  requested: string | undefined,
  { scopes_supported: supported }: AuthorizationServerMetadata,
) {
  const scopes = (requested ?? '').split(' ').filter((scope) => scope !== '')
  if (supported?.includes('offline_access') && !scopes.includes('offline_access'))
    scopes.push('offline_access')
  return scopes.length > 0 ? scopes.join(' ') : undefined
}
