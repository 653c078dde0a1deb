import {
  CognitoIdentityProviderClient,
  ListUsersInGroupCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider'
import { afterEach, describe, expect, it } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { checkIdentityProviders } from './identity-providers.ts'
import { checkConfig } from './local.ts'
import type { DeployedStack, DoctorInput } from './stacks.ts'

const pools = mockClient(CognitoIdentityProviderClient)
afterEach(() => pools.reset())

const issuer = 'https://example.okta.com'
const okta = { name: 'Okta', type: 'oidc', label: 'Okta', issuer, clientId: 'id', secretName: 'team/okta' }
const metadataUrl = 'https://adfs.example.com/metadata.xml'
const adfs = { name: 'Adfs', type: 'saml', label: 'AD FS', metadataUrl, domains: ['example.net'] }
const signInOrigin = 'https://juno-dev-123456789012.auth.eu-west-1.amazoncognito.com'

function buildInput(context: Record<string, unknown>, stacks: readonly DeployedStack[] = []): DoctorInput {
  const { config } = checkConfig(context)
  if (!config) throw new Error('the test gives a wrong configuration')
  return { config, region: 'eu-west-1', account: '123456789012', stacks: Promise.resolve(stacks) }
}

const deployedStacks: DeployedStack[] = [
  {
    name: 'juno-dev-auth',
    region: 'eu-west-1',
    stack: {
      StackName: 'juno-dev-auth',
      CreationTime: new Date(0),
      StackStatus: 'CREATE_COMPLETE',
      Outputs: [{ OutputKey: 'UserPoolId', OutputValue: 'eu-west-1_pool' }],
    },
  },
]

const discoveryDocument = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/keys`,
}
const metadata =
  '<md:EntityDescriptor entityID="x"><md:IDPSSODescriptor><ds:X509Certificate>a</ds:X509Certificate><md:SingleSignOnService Location="https://adfs.example.com/ls"/></md:IDPSSODescriptor></md:EntityDescriptor>'

/** The provider's site: a body for each address, and 404 elsewhere. */
const providerSite =
  (files: Record<string, unknown>): typeof fetch =>
  async (url) => {
    const file = typeof url === 'string' ? files[url] : undefined
    if (file instanceof Error) throw file
    if (file === undefined) return new Response('not found', { status: 404 })
    return new Response(typeof file === 'string' ? file : JSON.stringify(file))
  }
const discoveryUrl = `${issuer}/.well-known/openid-configuration`

const check = (context: Record<string, unknown>, files: Record<string, unknown> = {}) =>
  checkIdentityProviders(buildInput(context), providerSite(files))

describe('checkIdentityProviders', () => {
  it('DEC-191 says what to register where, once the providers respond', async () => {
    const context = { identityProviders: [okta, adfs], googleClientId: 'id', googleSecretName: 'google' }
    expect(await check(context, { [discoveryUrl]: discoveryDocument, [metadataUrl]: metadata })).toEqual([
      {
        level: 'ok',
        found: 'Google.',
        next: `Authorised redirect URI there: ${signInOrigin}/oauth2/idpresponse`,
      },
      {
        level: 'ok',
        found: 'Okta answers, with the endpoints that Cognito needs.',
        next: `Redirect URI there: ${signInOrigin}/oauth2/idpresponse`,
      },
      {
        level: 'ok',
        found: 'AD FS answers, with SAML metadata.',
        next: `Reply URL (ACS) there: ${signInOrigin}/saml2/idpresponse; the entity id is an output of the auth stack, SamlEntityId`,
      },
    ])
  })

  it('checks nothing without providers', async () => {
    expect(await check({})).toEqual([{ level: 'ok', found: 'none: everybody signs in with a password.' }])
  })

  it.each([
    [{}, 'Okta answers 404'],
    [{ [discoveryUrl]: '<html>' }, 'is not what Cognito needs: the document: '],
    [
      { [discoveryUrl]: { ...discoveryDocument, userinfo_endpoint: undefined } },
      'needs: userinfo_endpoint: ',
    ],
    [
      { [discoveryUrl]: { ...discoveryDocument, jwks_uri: 'https://a.example:8443/keys' } },
      'jwks_uri: has a port',
    ],
    [
      { [discoveryUrl]: { ...discoveryDocument, token_endpoint: 'http://a.example/token' } },
      'token_endpoint: ',
    ],
    [
      {
        [discoveryUrl]: { ...discoveryDocument, token_endpoint_auth_methods_supported: ['private_key_jwt'] },
      },
      'token_endpoint_auth_methods_supported: lacks client_secret_post',
    ],
    [
      { [discoveryUrl]: { ...discoveryDocument, issuer: `${issuer}/oauth2/default` } },
      `calls itself ${issuer}/oauth2/default, not ${issuer}`,
    ],
  ])('DEC-191 reports an OIDC provider that Cognito cannot use: %j', async (files, found) => {
    const [finding] = await check({ identityProviders: [okta] }, files)
    expect(finding).toMatchObject({ level: 'problem', found: expect.stringContaining(found) })
    expect(finding?.next).toBeTruthy()
  })

  it.each([
    [{}, 'AD FS answers 404'],
    [
      { [metadataUrl]: '<html></html>' },
      'EntityDescriptor, IDPSSODescriptor, SingleSignOnService, X509Certificate is missing',
    ],
    [
      { [metadataUrl]: metadata.replaceAll('IDPSSODescriptor', 'SPSSODescriptor') },
      'IDPSSODescriptor is missing',
    ],
  ])('DEC-191 reports a SAML provider that Cognito cannot use: %j', async (files, found) => {
    const [finding] = await check({ identityProviders: [adfs] }, files)
    expect(finding).toMatchObject({ level: 'problem', found: expect.stringContaining(found) })
  })

  it('only warns if a provider does not answer here: Cognito calls from another network', async () => {
    const failure = Object.assign(new Error('fetch failed'), { code: 'ENOTFOUND' })
    const findings = await check(
      { identityProviders: [okta, adfs] },
      { [discoveryUrl]: failure, [metadataUrl]: failure },
    )
    expect(findings).toMatchObject([
      { level: 'warning', found: 'Okta could not be asked: fetch failed.' },
      { level: 'warning', found: 'AD FS could not be asked: fetch failed.' },
    ])
  })

  it.each([
    [
      okta,
      { [discoveryUrl]: { ...discoveryDocument, claims_supported: ['sub', 'email'] } },
      'Okta has no domains, and does not say',
    ],
    [{ ...adfs, domains: [] }, { [metadataUrl]: metadata }, 'AD FS has no domains, and SAML does not say'],
  ])(
    'DEC-191 warns of a provider without domains that does not say whether it verifies addresses: %j',
    async (provider, files, found) => {
      expect(await check({ identityProviders: [provider] }, files)).toMatchObject([
        { level: 'warning', found: expect.stringContaining(found) },
      ])
      const verifyingDocument = { ...discoveryDocument, claims_supported: ['sub', 'email', 'email_verified'] }
      const providerWithDomain = { ...provider, domains: ['example.net'] }
      expect(
        await check(
          { identityProviders: [providerWithDomain] },
          { ...files, [discoveryUrl]: verifyingDocument },
        ),
      ).toMatchObject([{ level: 'ok' }])
    },
  )

  it('warns of a domain that signUp allows in vain', async () => {
    const [, finding] = await check(
      { identityProviders: [{ ...okta, domains: ['example.org'] }], signUp: 'example.org,example.com' },
      { [discoveryUrl]: discoveryDocument },
    )
    expect(finding).toMatchObject({
      level: 'warning',
      found: expect.stringContaining('signUp names example.org, which belongs to Okta'),
    })
  })

  it.each([
    [{ signUp: 'closed' }, [{}], 1],
    [{ signUp: 'open' }, [{}], 0],
    [{ signUp: 'closed' }, [{ domains: ['example.org'] }], 0],
  ])(
    'without passwords, warns if new users need an invitation: %j, %j',
    async (context, [changes], count) => {
      const identityProviders = [{ ...okta, ...changes }]
      const findings = await check(
        { ...context, identityProviders, passwordSignIn: 'off' },
        { [discoveryUrl]: discoveryDocument },
      )
      expect(findings.filter(({ level }) => level === 'warning')).toHaveLength(count)
    },
  )

  it('without passwords, warns of administrators who sign in with one', async () => {
    pools.on(ListUsersInGroupCommand, { UserPoolId: 'eu-west-1_pool', GroupName: 'admins' }).resolves({
      Users: [
        { UserStatus: 'CONFIRMED', Attributes: [{ Name: 'email', Value: 'ann@example.org' }] },
        { UserStatus: 'EXTERNAL_PROVIDER', Username: 'okta_1' },
      ],
    })
    const input = buildInput(
      { identityProviders: [okta], signUp: 'open', passwordSignIn: 'off' },
      deployedStacks,
    )
    expect(
      await checkIdentityProviders(input, providerSite({ [discoveryUrl]: discoveryDocument })),
    ).toMatchObject([
      { level: 'ok' },
      {
        level: 'warning',
        found:
          'passwordSignIn is off, and an administrator has an account with a password, which cannot sign in: ann@example.org.',
      },
    ])
  })

  it('without passwords, warns of no administrator if their group does not exist', async () => {
    pools.on(ListUsersInGroupCommand).rejects(new ResourceNotFoundException({ message: '', $metadata: {} }))
    const input = buildInput(
      { identityProviders: [okta], signUp: 'open', passwordSignIn: 'off' },
      deployedStacks,
    )
    const findings = await checkIdentityProviders(input, providerSite({ [discoveryUrl]: discoveryDocument }))
    expect(findings.map(({ level }) => level)).toEqual(['ok'])
  })
})
