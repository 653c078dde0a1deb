import { describe, expect, it } from 'vitest'
import { findProvider } from '../../providers/built-in.ts'
import type { CredentialRow, RemoteServer } from '../store/credential-repository.ts'
import type { ConnectionRow } from '../store/connection-repository.ts'
import {
  resolveAuthorizationServer,
  resolveProviderServer,
  toAuthorizationServer,
} from './authorization-server.ts'

const discoveredServer: RemoteServer = {
  url: 'https://mcp.example.com/mcp',
  issuer: 'https://auth.example.com',
  names_itself: false,
  token_url: 'https://auth.example.com/token',
  revoke_url: 'https://auth.example.com/revoke',
  resource: 'https://mcp.example.com/',
  client_auth: 'basic',
}
const notesServer = {
  name: 'Notes',
  tokenUrl: 'https://auth.example.com/token',
  refreshUrl: 'https://auth.example.com/token',
  revokeUrl: 'https://auth.example.com/revoke',
  revocation: 'standard',
  clientAuth: 'basic',
  tokenParams: { resource: 'https://mcp.example.com/' },
  expiresInSeconds: null,
}

describe('the authorization server of a remote server', () => {
  it('follows RFC 6749, RFC 7009 and RFC 8707', () => {
    expect(toAuthorizationServer('Notes', discoveredServer)).toEqual(notesServer)
  })

  it('gets no resource indicator if none is known', () => {
    const { resource: _, ...other } = discoveredServer
    expect(toAuthorizationServer('Notes', other)).toEqual({ ...notesServer, tokenParams: {} })
  })

  it('is the one that issued the tokens, with the name of the connection or else its id', () => {
    const credential = { server: discoveredServer } as CredentialRow
    const row = { mcp_id: 'slack', mcp_name: 'Notes' } as ConnectionRow
    expect(resolveAuthorizationServer('slack', row, credential)).toEqual(notesServer)
    expect(resolveAuthorizationServer('slack', undefined, credential)?.name).toBe('slack')
  })
})

describe('the authorization server of a built-in provider', () => {
  const production = { environment: 'production', parameters: {} } as const
  const resolve = (id: string) => resolveProviderServer(findProvider(id), production)

  it('is configured as the provider requires', () => {
    expect(resolve('zoom')).toEqual({
      oauth: findProvider('zoom')?.oauth,
      authUrl: 'https://zoom.us/oauth/authorize',
      authorizationServer: {
        name: 'Zoom',
        tokenUrl: 'https://zoom.us/oauth/token',
        refreshUrl: 'https://zoom.us/oauth/token',
        revokeUrl: 'https://zoom.us/oauth/revoke',
        revocation: 'access-token',
        clientAuth: 'basic',
        tokenParams: {},
        expiresInSeconds: 3_599,
      },
    })
  })

  it.each([
    ['github', 'github'],
    ['dropbox', 'bearer'],
    ['slack', 'slack'],
    ['gmail', 'standard'],
    ['linear', 'standard'],
  ])('%s revokes grants by %s', (id, revocation) => {
    expect(resolve(id)?.authorizationServer.revocation).toBe(revocation)
  })

  it('is that of the entry, also for its sandbox, and missing for a provider without a sign-in', () => {
    const nameFor = (mcp_id: string) =>
      resolveAuthorizationServer(mcp_id, undefined, {} as CredentialRow)?.name
    expect(['salesforce', 'salesforce-sandbox', 'trello', 'unknown'].map(nameFor)).toEqual([
      'Salesforce',
      'Salesforce',
      undefined,
      undefined,
    ])
  })
})
