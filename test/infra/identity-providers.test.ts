import { describe, expect, it } from 'vitest'
import { variants, configurations, identityProviders } from './configurations.ts'
import { synthesise, type Synthesised } from './synthesised.ts'

const [oidc] = identityProviders
const { groupsClaim: _, adminGroup: __, ...withoutGroups } = oidc

const full = synthesise(configurations.full)
const minimal = synthesise(configurations.minimal)
const without = {
  google: synthesise(variants['identity providers']),
  groups: synthesise({ identityProviders: [withoutGroups] }),
  passwords: synthesise(variants['identity providers without passwords']),
}

const providerNamed = (app: Synthesised, name: string) =>
  app
    .resources('auth', 'AWS::Cognito::UserPoolIdentityProvider')
    .find(({ Properties }) => Properties['ProviderName'] === name)?.Properties
const clientProperties = (app: Synthesised) => app.only('web', 'AWS::Cognito::UserPoolClient').Properties
const variables = (app: Synthesised, name: string, stack: 'auth' | 'api' = 'auth') =>
  (
    app.named(stack, 'AWS::Lambda::Function', name).Properties['Environment'] as {
      Variables: Record<string, string>
    }
  ).Variables

describe('the operator’s identity providers (DEC-191)', () => {
  it('DEC-191 an OIDC provider is configured with its secret, which is in no template, and returns address, name and groups', () => {
    expect(providerNamed(full, 'Okta')).toEqual({
      UserPoolId: 'auth/UserPool',
      ProviderName: 'Okta',
      ProviderType: 'OIDC',
      // without endpoint addresses, Cognito reads them from the issuer
      ProviderDetails: {
        client_id: 'okta-client',
        client_secret: '{{resolve:secretsmanager:team/okta:SecretString:::}}',
        oidc_issuer: 'https://example.okta.com',
        authorize_scopes: 'openid email profile',
        attributes_request_method: 'GET',
      },
      AttributeMapping: {
        email: 'email',
        email_verified: 'email_verified',
        name: 'name',
        'custom:groups': 'groups',
      },
    })
  })

  it('DEC-191 a SAML provider is configured by its metadata, and without a claim there are no groups', () => {
    expect(providerNamed(full, 'Adfs')).toEqual({
      UserPoolId: 'auth/UserPool',
      ProviderName: 'Adfs',
      ProviderType: 'SAML',
      ProviderDetails: { MetadataURL: 'https://adfs.example.com/metadata.xml', IDPSignout: false },
      AttributeMapping: {
        email: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
        name: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
      },
    })
    expect(providerNamed(without.groups, 'Okta')?.['AttributeMapping']).not.toHaveProperty('custom:groups')
  })

  it('have Cognito’s hosted sign-in pages with or without Google, and output what has to be registered', () => {
    const origin = 'https://juno-dev-<AccountId>.auth.<Region>.amazoncognito.com'
    expect(without.google.only('auth', 'AWS::Cognito::UserPoolDomain').Properties).toMatchObject({
      Domain: 'juno-dev-<AccountId>',
      ManagedLoginVersion: 2,
    })
    expect(without.google.resources('web', 'AWS::Cognito::ManagedLoginBranding')).toHaveLength(1)
    const outputs = without.google.outputs('auth')
    expect(outputs).toMatchObject({
      OidcRedirectUri: `${origin}/oauth2/idpresponse`,
      SamlAcsUrl: `${origin}/saml2/idpresponse`,
      SamlEntityId: 'urn:amazon:cognito:sp:auth/UserPool',
    })
    expect(outputs).not.toHaveProperty('GoogleRedirectUri')
    expect(Object.keys(full.outputs('auth'))).toEqual(
      expect.arrayContaining(['GoogleRedirectUri', 'OidcRedirectUri', 'SamlAcsUrl']),
    )
  })

  it('the page’s policy allows the pool’s domain', () => {
    const policies = JSON.stringify(
      without.google
        .resources('web', 'AWS::CloudFront::ResponseHeadersPolicy')
        .map(({ Properties }) => Properties),
    )
    expect(policies).toContain('https://juno-dev-<AccountId>.auth.<Region>.amazoncognito.com')
  })

  it('the app client may use them, and depends on their stack', () => {
    expect(clientProperties(full)['SupportedIdentityProviders']).toEqual([
      'COGNITO',
      'Google',
      'Okta',
      'Adfs',
    ])
    expect(clientProperties(without.google)['SupportedIdentityProviders']).toEqual([
      'COGNITO',
      'Okta',
      'Adfs',
    ])
    expect(full.dependencies('web')).toContain(full.stacks.auth.stackName)
  })

  it('DEC-191 users can write their groups only if Cognito requires it, and email_verified never', () => {
    const listWritableAttributes = (app: Synthesised) => clientProperties(app)['WriteAttributes']
    expect(listWritableAttributes(minimal)).toEqual(['email', 'name'])
    expect(listWritableAttributes(without.groups)).toEqual(['email', 'name'])
    expect(listWritableAttributes(full)).toEqual(['custom:groups', 'email', 'name'])
    for (const app of [full, without.google, without.groups]) {
      const mappedAttributes = app
        .resources('auth', 'AWS::Cognito::UserPoolIdentityProvider')
        .flatMap(({ Properties }) => Object.keys(Properties['AttributeMapping'] as object))
        .filter((attribute) => attribute !== 'email_verified')
      expect(listWritableAttributes(app)).toEqual(expect.arrayContaining(mappedAttributes))
    }
  })

  it('DEC-191 the triggers and the administrators’ function get the providers’ rules', () => {
    const google = { type: 'oidc', name: 'Google', label: 'Google', domains: [], usesGroups: false }
    const rules = JSON.stringify([
      google,
      {
        type: 'oidc',
        name: 'Okta',
        label: 'Okta',
        domains: ['example.org'],
        adminGroup: 'assistant-admins',
        usesGroups: true,
      },
      { type: 'saml', name: 'Adfs', label: 'AD FS', domains: [], usesGroups: false },
    ])
    for (const trigger of ['PreSignUp', 'PreTokenGeneration']) {
      expect(variables(full, trigger)['IDENTITY_PROVIDERS']).toBe(rules)
      expect(variables(minimal, trigger)).toMatchObject({ IDENTITY_PROVIDERS: '[]', PASSWORD_SIGN_IN: 'on' })
      expect(Buffer.byteLength(JSON.stringify(variables(full, trigger)))).toBeLessThan(4_096)
    }
    expect(variables(full, 'PostConfirmation')['IDENTITY_PROVIDERS']).toBe(rules)
    expect(variables(full, 'Admin', 'api')['IDENTITY_PROVIDERS']).toBe(rules)
  })

  it('DEC-191 groups end with the claim: a trigger deletes them before they are read again', () => {
    const readLambdaConfig = (app: Synthesised) =>
      app.only('auth', 'AWS::Cognito::UserPool').Properties['LambdaConfig']
    expect(readLambdaConfig(full)).toMatchObject({ PreAuthentication: 'auth/PreAuthentication.Arn' })
    expect(full.listStatements('auth', 'PreAuthentication')).toContainEqual({
      Effect: 'Allow',
      Action: 'cognito-idp:AdminDeleteUserAttributes',
      Resource: 'auth/UserPool.Arn',
    })
    for (const app of [minimal, without.groups])
      expect(readLambdaConfig(app)).not.toHaveProperty('PreAuthentication')
  })
})

describe('passwordSignIn=off (DEC-191)', () => {
  it('DEC-191 the app client cannot use a password, and trigger and page are told so', () => {
    const { ExplicitAuthFlows, SupportedIdentityProviders } = clientProperties(without.passwords)
    expect(SupportedIdentityProviders).toEqual(['Okta', 'Adfs'])
    // an empty list would enable SRP; a custom flow has no triggers here
    expect(ExplicitAuthFlows).toEqual(['ALLOW_CUSTOM_AUTH'])
    const triggers = without.passwords.only('auth', 'AWS::Cognito::UserPool').Properties['LambdaConfig']
    expect(Object.keys(triggers as object).filter((name) => name.includes('AuthChallenge'))).toEqual([])
    for (const trigger of ['PreSignUp', 'PreTokenGeneration'])
      expect(variables(without.passwords, trigger)['PASSWORD_SIGN_IN']).toBe('off')
  })
})
