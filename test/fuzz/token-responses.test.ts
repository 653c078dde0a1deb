import { beforeEach, expect, it, vi } from 'vitest'
import { AppError } from '../../functions/platform/errors.ts'
import { discoverServer } from '../../functions/integrations/oauth/discovery.ts'
import type { AuthorizationServer } from '../../functions/integrations/credentials/authorization-server.ts'
import { buildEntryHeaders, buildCustomToolHeaders } from '../../functions/mcp/headers.ts'
import { requestTokens } from '../../functions/integrations/credentials/tokens.ts'
import { revokeGrant } from '../../functions/integrations/credentials/revoke-grant.ts'
import { unsealTokens, sealTokens } from '../../functions/integrations/credentials/seal-tokens.ts'
import { maskCredentials } from '../../functions/integrations/vault/vault.ts'
import { AddressForbidden, OutboundFailed, outboundHttp } from '../../functions/platform/net/outbound-http.ts'
import { logger } from '../../functions/platform/telemetry/logger.ts'
import { sealer } from '../../functions/platform/secrets/seal.ts'
import { anyJson, arbitraryText, fc, limitCpuTime, mutatedJson, stringify } from '../support/fuzz.ts'

// a server's protocol errors are logged, one line each
beforeEach(() => void vi.spyOn(logger, 'warn').mockReturnValue())

const answer = {
  access_token: 'a',
  refresh_token: 'b',
  expires_in: 3_600,
  refresh_token_expires_in: '86400',
  instance_url: 'https://a.example',
  token_type: 'bearer',
}
const oddValue = fc.oneof(
  anyJson(),
  arbitraryText(),
  fc.constantFrom(1e300, 1e15, -1, 0, 1e-9, '999999999999', '1e9', '0.5'),
)
const body = fc.oneof(
  mutatedJson(answer, oddValue).map(stringify),
  mutatedJson({ error: 'invalid_grant', error_description: 'x' }, oddValue).map(stringify),
  arbitraryText(),
  fc
    .dictionary(fc.constantFrom('access_token', 'error', 'expires_in', '__proto__'), arbitraryText(30))
    .map((fields) => new URLSearchParams(fields).toString()),
)
const server = {
  name: 'Odd',
  tokenUrl: 'https://a.example/token',
  tokenParams: {},
  clientAuth: 'basic',
  expiresInSeconds: 60,
} as unknown as AuthorizationServer
const seal = sealer({ read: async () => 'key' }, 'key')
const now = new Date('2026-11-20T00:00:00Z')

it('any response of a token endpoint gives tokens that can be stored, with valid dates, or an error for the user', async () => {
  await fc.assert(
    fc.asyncProperty(
      body,
      fc.constantFrom(200, 200, 201, 302, 400, 401, 500, 599),
      arbitraryText(20),
      async (text, status, secret) => {
        const http = { text: async () => ({ status, headers: new Headers(), text }) }
        const client = { clientId: secret.toWellFormed(), clientSecret: secret.toWellFormed() }
        let tokens
        try {
          tokens = await requestTokens(
            http,
            server.tokenUrl,
            { code: 'c' },
            { authorizationServer: server, client },
          )
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          expect(error.userMessage.length).toBeLessThan(300)
          return
        }
        const owner = { sub: 'ann', mcpId: 'odd' }
        const sealed = await sealTokens(seal, owner, tokens, {
          authorizationServer: server,
          carriedOver: {},
          now,
        })
        for (const time of [sealed.access_expires_at, sealed.expires_at])
          if (time !== undefined) expect(Date.parse(time)).toBeGreaterThanOrEqual(now.getTime())
        const unsealedTokenSet = await unsealTokens(seal, owner, {
          ...sealed,
          status: 'active',
          masks: {},
          updated_at: '',
        } as never)
        expect(unsealedTokenSet.accessToken.toWellFormed()).toBe(tokens.accessToken.toWellFormed())
        expect(typeof (await revokeGrant(http as never, server, unsealedTokenSet, client))).toBe('boolean')
      },
    ),
  )
})

it('any metadata of a server’s sign-in gives an address that may be called, or nothing', async () => {
  const { check } = outboundHttp()
  const resource = {
    resource: 'https://mcp.example/mcp',
    authorization_servers: ['https://auth.example'],
    scopes_supported: ['a'],
  }
  const metadata = {
    issuer: 'https://auth.example',
    authorization_endpoint: 'https://auth.example/authorize',
    token_endpoint: 'https://auth.example/token',
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ['offline_access'],
  }
  const address = fc.constantFrom(
    'http://127.0.0.1/',
    'https://169.254.169.254/',
    'javascript:1',
    'https://evil.example/authorize',
    'https://auth.example@evil.example',
  )
  await fc.assert(
    fc.asyncProperty(
      mutatedJson(resource, fc.oneof(address, oddValue)),
      mutatedJson(metadata, fc.oneof(address, oddValue)),
      fc.boolean(),
      fc.boolean(),
      async (changedResource, changedMetadata, changesResource, changesMetadata) => {
        const fetch = async (input: string | URL | Request) => {
          const { href } = new URL(input instanceof Request ? input.url : input)
          if (href.includes('oauth-protected-resource'))
            return new Response(stringify(changesResource ? changedResource : resource))
          if (href.includes('.well-known'))
            return new Response(stringify(changesMetadata ? changedMetadata : metadata))
          return new Response('', { status: 404 })
        }
        const found = await discoverServer({ fetch, check }, 'https://mcp.example/mcp', {})
        if (!('server' in found)) return
        for (const url of [found.authUrl, found.server.token_url]) {
          check(url)
          expect(new URL(url).protocol).toBe('https:')
        }
        if (!found.server.names_itself)
          expect(new URL(found.authUrl).origin).toBe(new URL(found.server.issuer).origin)
      },
    ),
  )
})

it('submitted values become valid headers, or none', () => {
  fc.assert(
    fc.property(
      arbitraryText(),
      fc.dictionary(arbitraryText(40), arbitraryText()),
      (apiKey, customFields) => {
        const headers = new Headers(limitCpuTime(() => buildCustomToolHeaders({ apiKey, customFields })))
        for (const header of ['host', 'content-length', 'transfer-encoding', 'connection', 'cookie'])
          expect(headers.has(header)).toBe(false)
        const names = Object.keys(customFields)
        void new Headers(
          buildEntryHeaders(
            names.map((name) => ({ name, label: name })),
            customFields,
          ),
        )
        const masks = maskCredentials(customFields)
        for (const [name, mask] of Object.entries(masks))
          expect(mask.length <= 8 || mask !== customFields[name]).toBe(true)
      },
    ),
  )
})

it('addresses that others supply and that lead to this machine are refused with one of the product’s errors', async () => {
  const http = outboundHttp({
    lookup: (_, __, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    timeoutMs: 500,
  })
  await fc.assert(
    fc.asyncProperty(fc.oneof(arbitraryText(60), fc.webUrl()), async (url) => {
      await expect(http.text(url)).rejects.toSatisfy(
        (error) => error instanceof AddressForbidden || error instanceof OutboundFailed,
      )
    }),
  )
  await http.close()
})
