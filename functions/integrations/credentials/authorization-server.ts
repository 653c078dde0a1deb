import { type BuiltInProvider, findProvider, type ProviderOAuth } from '../../providers/built-in.ts'
import { buildEndpoints, type ProviderTenant } from '../../providers/endpoints.ts'
import type { CredentialRow, RemoteServer } from '../store/credential-repository.ts'
import type { ConnectionRow } from '../store/connection-repository.ts'
import { sandboxSuffix, toEntryId } from '../store/connection.ts'

/** An OAuth authorization server: a built-in provider's, or one discovered for a remote MCP server. */
export interface AuthorizationServer {
  /** shown in messages */
  name: string
  tokenUrl: string
  refreshUrl: string
  revokeUrl: string | undefined
  /**
   * How a grant is revoked: by RFC 7009 with the refresh token, by RFC 7009 with the access token, by a request that the access token
   * authenticates (Slack says in its response whether it worked), or in GitHub's way
   */
  revocation: 'standard' | 'access-token' | 'bearer' | 'slack' | 'github'
  /** where requests carry the client secret */
  clientAuth: 'post' | 'basic'
  /** added to every token request */
  tokenParams: Readonly<Record<string, string>>
  /** lifetime of an access token if the response has no `expires_in`; null: it does not expire */
  expiresInSeconds: number | null
}

/** Only these differ from RFC 7009; Zoom documents its revocation for access tokens only. */
const revocations: Readonly<Record<string, AuthorizationServer['revocation']>> = {
  github: 'github',
  dropbox: 'bearer',
  slack: 'slack',
  zoom: 'access-token',
}

/** The sign-in of a built-in provider. */
export interface ProviderSignIn {
  authorizationServer: AuthorizationServer
  oauth: ProviderOAuth
  authUrl: string
}

/** @throws BadRequest for parameters that no URL can be built from */
export function resolveProviderServer(
  provider: BuiltInProvider | undefined,
  tenant: ProviderTenant,
): ProviderSignIn | undefined {
  const addresses = provider && buildEndpoints(provider, tenant).oauth
  if (!provider?.oauth || !addresses) return undefined
  const { oauth, id, name } = provider
  return {
    oauth,
    authUrl: addresses.authUrl,
    authorizationServer: {
      name,
      tokenUrl: addresses.tokenUrl,
      refreshUrl: addresses.refreshUrl,
      revokeUrl: addresses.revokeUrl,
      revocation: revocations[id] ?? 'standard',
      clientAuth: oauth.clientAuth,
      tokenParams: oauth.tokenParams,
      expiresInSeconds: oauth.expiresInSeconds,
    },
  }
}

/** Builds the authorization server of a remote MCP server, as its sign-in discovered it. @param name for errors */
export function toAuthorizationServer(name: string, server: RemoteServer): AuthorizationServer {
  return {
    name,
    tokenUrl: server.token_url,
    refreshUrl: server.token_url,
    revokeUrl: server.revoke_url,
    revocation: 'standard',
    clientAuth: server.client_auth,
    tokenParams: server.resource === undefined ? {} : { resource: server.resource },
    expiresInSeconds: null,
  }
}

/** The built-in provider of a connection. */
export const findBuiltIn = (mcpId: string): BuiltInProvider | undefined => findProvider(toEntryId(mcpId))

/** The authorization server that issued the tokens of a connection, whose row may be missing. @throws BadRequest as `resolveProviderServer` */
export function resolveAuthorizationServer(
  mcpId: string,
  row: ConnectionRow | undefined,
  { server }: CredentialRow,
): AuthorizationServer | undefined {
  if (server) return toAuthorizationServer(row?.mcp_name ?? mcpId, server)
  const environment = mcpId.endsWith(sandboxSuffix) ? 'sandbox' : 'production'
  const tenant = row ?? { environment, parameters: {} }
  return resolveProviderServer(findBuiltIn(mcpId), tenant)?.authorizationServer
}
