import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation'
import { afterEach, describe, expect, it } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { checkConfig } from './local.ts'
import { checkProviderChanges } from './stacks.ts'
import type { DoctorInput } from './stacks.ts'

const cloudFormation = mockClient(CloudFormationClient)
afterEach(() => cloudFormation.reset())

const oidc = {
  name: 'Okta',
  type: 'oidc',
  label: 'Okta',
  issuer: 'https://example.okta.com',
  clientId: 'id',
  secretName: 'team/okta',
}
const saml = { type: 'saml', label: 'Okta', metadataUrl: 'https://example.okta.com/metadata' }
const provider = (ProviderName: string, ProviderType: string) => ({
  Type: 'AWS::Cognito::UserPoolIdentityProvider',
  Properties: { ProviderName, ProviderType },
})

/** @param deployed the auth stack's resources; undefined: the stack does not exist */
function check(identityProviders: readonly unknown[], deployed: readonly object[] | undefined) {
  const { config } = checkConfig({ identityProviders })
  if (!config) throw new Error('the test gives a wrong configuration')
  const stack = {
    StackName: 'juno-dev-auth',
    CreationTime: new Date(0),
    StackStatus: 'CREATE_COMPLETE',
  } as const
  cloudFormation.on(GetTemplateCommand, { StackName: 'juno-dev-auth' }).resolves({
    TemplateBody: JSON.stringify({
      Resources: Object.fromEntries(
        [...(deployed ?? []), { Type: 'AWS::Cognito::UserPool' }].map((one, index) => [`R${index}`, one]),
      ),
    }),
  })
  const input: DoctorInput = {
    config,
    region: 'eu-west-1',
    account: '123456789012',
    stacks: Promise.resolve(deployed ? [{ name: 'juno-dev-auth', region: 'eu-west-1', stack }] : []),
  }
  return checkProviderChanges(input)
}

describe('checkProviderChanges', () => {
  it.each([
    [[oidc], undefined],
    [[oidc], []],
    [[oidc], [provider('Okta', 'OIDC')]],
    // Google has a separate setting
    [[], [provider('Google', 'Google')]],
  ])('finds nothing for %j after %j', async (configuration, deployed) => {
    expect(await check(configuration, deployed)).toEqual([])
  })

  it('DEC-191 warns that removing a provider locks its users out', async () => {
    expect(await check([oidc], [provider('Okta', 'OIDC'), provider('Adfs', 'SAML')])).toEqual([
      {
        level: 'warning',
        found:
          'Adfs is removed: its users keep their data, and cannot sign in. Open sessions end within 15 minutes.',
        next: 'Leave Adfs in identityProviders unless you mean it.',
      },
    ])
  })

  it.each([
    [{ ...saml, name: 'Okta' }, 'Okta (OIDC) becomes Okta (SAML): '],
    [{ ...oidc, name: 'OKTA' }, 'Okta (OIDC) becomes OKTA (OIDC): '],
  ])(
    'DEC-191 stops a deployment that CloudFormation would have to roll back: %j',
    async (configuration, found) => {
      expect(await check([configuration], [provider('Okta', 'OIDC')])).toMatchObject([
        { level: 'problem', found: expect.stringContaining(found) },
      ])
    },
  )
})
