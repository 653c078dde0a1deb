import {
  checkResourceAllowed,
  discoverOAuthServerInfo,
  type AuthorizationServerMetadata,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client'
import * as z from 'zod'
import { logger } from '../../platform/telemetry/logger.ts'
import type { OutboundHttp } from '../../platform/net/outbound-http.ts'
import type { Challenge } from '../../mcp/connection.ts'
import type { RemoteServer } from '../credential-repository.ts'

export interface Discovered {
  server: Omit<RemoteServer, 'client_auth'>
  authUrl: string
  scope: string | undefined
  /** takes the address of a metadata document as a Client ID */
  readsDocuments: boolean
  /** the resources that the authorization server itself says it grants tokens for (RFC 9728 section 4) */
  listedResources: readonly string[]
  metadata: AuthorizationServerMetadata
}

const listing = z.object({ protected_resources: z.array(z.string()).catch([]) })

/**
 * RFC 9728, RFC 8414, OpenID Connect Discovery: who grants tokens for a remote MCP server.
 * @returns undefined where the server does not say, or says what cannot be relied on
 */
export async function discoverServer(
  http: Pick<OutboundHttp, 'fetch' | 'check'>,
  url: string,
  { resourceMetadataUrl, scope }: Challenge,
): Promise<Discovered | undefined> {
  try {
    const { authorizationServerMetadata: metadata, resourceMetadata } = await discoverOAuthServerInfo(url, {
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      fetchFn: http.fetch,
    })
    if (!metadata) return undefined
    const namesItself = metadata.authorization_response_iss_parameter_supported === true
    for (const address of [metadata.authorization_endpoint, metadata.token_endpoint]) http.check(address)
    checkReliable(url, { metadata, resourceMetadata, namesItself })
    const revokeUrl = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined
    return {
      server: {
        url,
        issuer: metadata.issuer,
        names_itself: namesItself,
        token_url: metadata.token_endpoint,
        ...(typeof revokeUrl === 'string' && { revoke_url: revokeUrl }),
        ...(resourceMetadata && { resource: resourceMetadata.resource }),
      },
      authUrl: metadata.authorization_endpoint,
      scope: scopeOf(scope ?? resourceMetadata?.scopes_supported?.join(' '), metadata),
      readsDocuments: metadata.client_id_metadata_document_supported === true,
      listedResources: listing.parse(metadata).protected_resources,
      metadata,
    }
  } catch (error) {
    logger.warn('a server’s sign-in cannot be used', { error })
    return undefined
  }
}

/** @throws Error saying what is wrong */
function checkReliable(
  url: string,
  {
    metadata,
    resourceMetadata,
    namesItself,
  }: {
    metadata: AuthorizationServerMetadata
    resourceMetadata: OAuthProtectedResourceMetadata | undefined
    namesItself: boolean
  },
): void {
  const methods = metadata.code_challenge_methods_supported
  if (methods && !methods.includes('S256')) throw new Error('no PKCE with S256')
  if (!metadata.response_types_supported.includes('code')) throw new Error('no codes')
  if (
    resourceMetadata &&
    !checkResourceAllowed({ requestedResource: url, configuredResource: resourceMetadata.resource })
  )
    throw new Error('the metadata is of another resource')
  // A server could name another one's page and so be sent the codes of that one. Either its own page, or one that says whose it is.
  if (!namesItself && new URL(metadata.authorization_endpoint).origin !== new URL(metadata.issuer).origin)
    throw new Error('the page is another server’s')
}

/** What the server asked for, with a renewal that lasts where it offers one. */
function scopeOf(asked: string | undefined, { scopes_supported: offered }: AuthorizationServerMetadata) {
  const scopes = (asked ?? '').split(' ').filter((scope) => scope !== '')
  if (offered?.includes('offline_access') && !scopes.includes('offline_access')) scopes.push('offline_access')
  return scopes.length > 0 ? scopes.join(' ') : undefined
}
