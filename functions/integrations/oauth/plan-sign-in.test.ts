import { describe, expect, it } from 'vitest'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { findProvider } from '../../providers/built-in.ts'
import { resolveProviderServer } from '../credentials/authorization-server.ts'
import type { CredentialRow } from '../store/credential-repository.ts'
import type { NotRegistered } from './registration.ts'
import { buildAuthUrl, planSignIn, type ServerSignIn, type SignInFacts } from './plan-sign-in.ts'

const entry = { name: 'Notes' } as RegistryEntry
const provider = resolveProviderServer(findProvider('gmail'), { environment: 'production', parameters: {} })
const redirectUri = 'https://juno.example/oauth/callback'
const clientRedirectUri = 'https://juno.example/oauth/server/0'
const url = 'https://mcp.example/mcp'
const registration = {
  client: { clientId: 'registered', clientSecret: undefined },
  clientAuth: 'post' as const,
  redirectUri: clientRedirectUri,
}
const atServer: ServerSignIn = {
  found: {
    server: {
      url,
      issuer: 'https://auth.example',
      names_itself: true,
      token_url: 'https://auth.example/token',
      resource: url,
    },
    authUrl: 'https://auth.example/authorize',
    scope: 'read offline_access',
    supportsClientMetadataDocument: false,
    protectedResources: [],
    metadata: {
      issuer: 'https://auth.example',
      authorization_endpoint: 'https://auth.example/authorize',
      token_endpoint: 'https://auth.example/token',
      protected_resources: [],
    },
  },
  clientRedirectUri,
  registration,
  isOwn: false,
  refused: [],
}
const unregistered = { ...atServer, registration: { isOffered: false } }
const nothing: SignInFacts = {
  entry,
  provider: undefined,
  server: undefined,
  ownApp: undefined,
  operatorApp: undefined,
  redirectUri,
  existing: undefined,
  refused: [],
}
const plan = (facts: Partial<SignInFacts>) => planSignIn({ ...nothing, ...facts })
const app = (clientId: string) => ({ clientId, clientSecret: 's' })

describe('the plan of a sign-in', () => {
  it.each<[string, Partial<SignInFacts>, object]>([
    [
      'goes to the provider with the user’s own app before the operator’s',
      { provider, ownApp: app('mine'), operatorApp: app('operators') },
      { client: { clientId: 'mine' }, clientId: 'mine', redirectUri, server: undefined },
    ],
    [
      'uses the operator’s app without storing its id',
      { provider, operatorApp: app('operators') },
      { client: { clientId: 'operators' }, clientId: undefined },
    ],
    [
      'goes to the server that has registered a client before the operator’s app',
      { provider, server: atServer, operatorApp: app('operators') },
      {
        client: { clientId: 'registered' },
        redirectUri: clientRedirectUri,
        pkce: true,
        server: { resource: url },
      },
    ],
    [
      'goes to the provider if its server registers none',
      { provider, server: unregistered, operatorApp: app('operators') },
      { client: { clientId: 'operators' } },
    ],
    [
      'asks for an app if the server registers none',
      { server: unregistered },
      {
        manualRegistration: { clientRedirectUri, registerAt: 'auth.example' },
        params: { reason: 'not_offered' },
      },
    ],
    [
      'asks for an app with another redirect URI',
      { server: { ...atServer, registration: undefined } },
      { params: { reason: 'other_redirect' } },
    ],
    [
      'asks for consent to another party',
      { server: { server: 'mcp.example', signsInAt: ['evil.example'] } },
      { foreignSignIn: { signsInAt: ['evil.example'] }, params: { reason: 'agree' } },
    ],
    [
      'leaves out what the page refuses now and has refused before, to this user and to others',
      {
        server: { ...atServer, refused: ['resource'] },
        refused: ['prompt'],
        existing: { server: atServer.found.server, refused: ['offline_access'] } as CredentialRow,
      },
      {
        query: { scope: 'read' },
        refused: ['offline_access', 'prompt'],
      },
    ],
    [
      'asks for what was granted and what a call lacked',
      {
        server: atServer,
        existing: { server: atServer.found.server, scope: 'read', step_up_scope: 'write' } as CredentialRow,
      },
      { query: { scope: 'read write offline_access' } },
    ],
  ])('%s', (_, facts, expected) => {
    expect(plan(facts)).toMatchObject(expected)
  })

  it.each<[string, Partial<SignInFacts>, string]>([
    ['a provider without an app', { provider }, 'setup_required'],
    ['a provider whose server registers none', { provider, server: unregistered }, 'setup_required'],
    ['an entry without a sign-in', {}, 'bad_request'],
    ['an operator’s app for an entry without a sign-in', { operatorApp: app('x') }, 'bad_request'],
  ])('refuses %s', (_, facts, code) => {
    expect(() => plan(facts)).toThrow(expect.objectContaining({ code }))
  })

  it.each<[string, NotRegistered, string]>([
    ['has answered nothing', { isOffered: true }, 'did not register this app. Create'],
    ['has refused', { isOffered: true, status: 403 }, 'did not register this app (403). Create'],
    ['is busy', { isOffered: true, status: 503 }, 'right now: please try again in a moment.'],
    [
      'asks to wait',
      { isOffered: true, status: 429, retryAfterSeconds: 30 },
      'right now: please try again in 30 seconds.',
    ],
  ])('says of a server that %s why it has registered no app', (_, reason, message) => {
    const { message: shown } = plan({ server: { ...atServer, registration: reason } }) as { message: string }
    expect(shown).toContain(message)
  })

  it('binds no token to a resource that the page refuses', () => {
    expect(plan({ server: { ...atServer, refused: ['resource'] } })).not.toHaveProperty('server.resource')
  })

  it('has the challenge of PKCE in its address only with a verifier', () => {
    const request = plan({ server: atServer })
    if (!('client' in request)) throw new Error('no request was planned')
    const parse = (verifier?: string) => new URL(buildAuthUrl(request, 'state', verifier)).searchParams
    expect(Object.fromEntries(parse('v'))).toMatchObject({
      client_id: 'registered',
      redirect_uri: clientRedirectUri,
      state: 'state',
      response_type: 'code',
      code_challenge_method: 'S256',
    })
    expect(parse().has('code_challenge')).toBe(false)
  })
})
