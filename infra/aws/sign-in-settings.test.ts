import { describe, expect, it } from 'vitest'
import { formatProviderConfigs } from '#shared/identity-providers.ts'
import { readConfig } from './config.ts'
import { maxProviderConfigBytes } from './sign-in-settings.ts'

const read = (context: Record<string, unknown>) =>
  readConfig({ tryGetContext: (key: string) => context[key] })

const oidc = {
  name: 'Okta',
  type: 'oidc',
  label: 'Okta',
  issuer: 'https://example.okta.com/oauth2/default',
  clientId: 'id',
  secretName: 'team/okta',
}
const saml = { name: 'Adfs', type: 'saml', label: 'AD FS', metadataUrl: 'https://adfs.example.com/metadata' }
const google = { googleClientId: 'id', googleSecretName: 'team/google' }
const withProvider = (changes: Record<string, unknown>) => ({ identityProviders: [{ ...oidc, ...changes }] })

/** Settings of a provider whose part of a function's environment has so many bytes. */
function fillProviderConfig(bytes: number) {
  const fill = (count: number, last = '') =>
    [...Array(count).keys()].map((index) => `domain-${1_000 + index}.example.org`).concat(last || [])
  const measure = (domains: string[]) =>
    Buffer.byteLength(
      formatProviderConfigs(read(withProvider({ domains })).identityProviders, { hasGoogle: true }),
    )
  let count = 0
  while (measure(fill(count + 1)) <= bytes - 20) count += 1
  const rest = bytes - measure(fill(count, 'a.example'))
  return fill(count, `${'a'.repeat(rest + 1)}.example`)
}

describe('sign-in settings', () => {
  it('DEC-191 fill the environment of a function up to 2,500 of its 4,096 bytes', () => {
    expect(maxProviderConfigBytes).toBe(2_500)
    const domains = fillProviderConfig(2_500)
    const { identityProviders } = read(withProvider({ domains }))
    expect(Buffer.byteLength(formatProviderConfigs(identityProviders, { hasGoogle: true }))).toBe(2_500)
    expect(() => read(withProvider({ domains: [...domains.slice(0, -1), `a${domains.at(-1)}`] }))).toThrow(
      'are too long by 1 bytes',
    )
  })

  it('DEC-191 accepts identity providers as a list, or as JSON on the command line', () => {
    const identityProviders = [{ ...oidc, domains: [' Example.org'] }, saml]
    const expected = [
      { ...oidc, domains: ['example.org'] },
      { ...saml, domains: [] },
    ]
    expect(read({ identityProviders }).identityProviders).toEqual(expected)
    expect(read({ identityProviders: JSON.stringify(identityProviders) }).identityProviders).toEqual(expected)
    expect(read({}).identityProviders).toEqual([])
  })

  it.each([[google], [{ identityProviders: [saml] }]])(
    'passwords can be switched off with %j',
    (providers) => {
      expect(read({ ...providers, passwordSignIn: 'off' }).passwordSignIn).toBe(false)
      expect(read(providers).passwordSignIn).toBe(true)
    },
  )

  it.each([
    [{ passwordSignIn: 'off' }, 'Context passwordSignIn must not be off: nobody could sign in'],
    [{ identityProviders: '[{' }, 'Context identityProviders must be a list in JSON.'],
    [{ identityProviders: '{}' }, 'Context identityProviders must be a list in JSON.'],
    [
      { identityProviders: [{ ...oidc, type: 'ldap' }] },
      'Context identityProviders.0.type must be oidc or saml.',
    ],
    [
      withProvider({ issuer: 'https://a.example/' }),
      'Context identityProviders.0.issuer must not end with a slash.',
    ],
    [
      withProvider({ issuer: 'https://a.example:8443' }),
      'Context identityProviders.0.issuer must not name a port',
    ],
    [
      withProvider({ issuer: 'http://a.example' }),
      'Context identityProviders.0.issuer must be an https URL.',
    ],
    [
      withProvider({ secretName: undefined }),
      'Context identityProviders.0.secretName must be the name of a Secrets',
    ],
    [withProvider({ name: 'Google' }), 'Context identityProviders.0.name is a name of Cognito’s own.'],
    [withProvider({ name: 'my_idp' }), 'Context identityProviders.0.name must be 3 to 32 letters'],
    [withProvider({ domains: ['a@example.org'] }), 'Context identityProviders.0.domains.0 must be a domain'],
    [
      withProvider({ adminGroup: 'admins' }),
      'Context identityProviders has an adminGroup without a groupsClaim (Okta).',
    ],
    [withProvider({ secret: 'x' }), 'Context identityProviders.0 Unrecognized key: "secret".'],
    [{ identityProviders: [oidc, { ...oidc, name: 'okta' }] }, 'has two providers named "okta".'],
    [
      {
        identityProviders: [
          { ...oidc, domains: ['a.example'] },
          { ...saml, domains: ['a.example'] },
        ],
      },
      'Context identityProviders gives "a.example" to two providers.',
    ],
    [
      withProvider({ domains: [...Array(200).keys()].map((index) => `d${index}.example.org`) }),
      /Context identityProviders are too long by [\d,]+ bytes for the environment of a function: name fewer domains\./,
    ],
    [
      { brandName: 'Amazonia', identityProviders: [saml] },
      'Context brandName and stage must not contain "amazon": Cognito refuses it in the domain of its sign-in pages.',
    ],
  ])('DEC-191 refuses %j and names the key', (context, message) => {
    expect(() => read(context)).toThrow(message)
  })
})
