import { type BuiltInProvider, findProvider, type ProviderOAuth } from '../../providers/built-in.ts'
import { endpointsOf, type ProviderPlace } from '../../providers/endpoints.ts'
import type { CredentialRow, RemoteServer } from '../credential-repository.ts'
import type { IntegrationRow } from '../integration-repository.ts'
import { entryIdOf } from '../target.ts'

/** Who grants tokens: a provider that the product knows, or the authorization server of a remote MCP server. */
export interface Grantor {
  /** for sentences */
  name: string
  tokenUrl: string
  refreshUrl: string
  revokeUrl: string | undefined
  /** how a grant is taken back: by RFC 7009, or in a way of its own */
  revocation: 'standard' | 'bearer' | 'github'
  /** how a client secret travels */
  clientAuth: 'post' | 'basic'
  /** go with every request for tokens */
  tokenParams: Readonly<Record<string, string>>
  /** of an access token whose answer does not say; null: it does not expire */
  expiresInSeconds: number | null
}

/** @throws BadRequest for parameters that no address can be built from */
export function providerGrantor(
  provider: BuiltInProvider | undefined,
  place: ProviderPlace,
): { grantor: Grantor; oauth: ProviderOAuth; authUrl: string } | undefined {
  const addresses = provider && endpointsOf(provider, place).oauth
  if (!provider?.oauth || !addresses) return undefined
  const { oauth, id, name } = provider
  return {
    oauth,
    authUrl: addresses.authUrl,
    grantor: {
      name,
      tokenUrl: addresses.tokenUrl,
      refreshUrl: addresses.refreshUrl,
      revokeUrl: addresses.revokeUrl,
      revocation: id === 'github' ? 'github' : id === 'dropbox' || id === 'slack' ? 'bearer' : 'standard',
      clientAuth: oauth.clientAuth,
      tokenParams: oauth.tokenParams,
      expiresInSeconds: oauth.expiresInSeconds,
    },
  }
}

export function remoteGrantor(name: string, server: RemoteServer): Grantor {
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

/** Who granted the tokens of a connection. @throws BadRequest as `providerGrantor` */
export function grantorOf(row: IntegrationRow, { server }: CredentialRow): Grantor | undefined {
  if (server) return remoteGrantor(row.mcp_name ?? row.mcp_id, server)
  return providerGrantor(findProvider(entryIdOf(row.mcp_id)), row)?.grantor
}
