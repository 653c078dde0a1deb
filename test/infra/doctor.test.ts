import { describe, expect, it } from 'vitest'
import { minBootstrapVersion } from '../../infra/operate/doctor/account.ts'
import { loadContext } from '../../infra/operate/stage.ts'
import { checkIdentityProviders } from '../../infra/operate/doctor/identity-providers.ts'
import { checkConfig } from '../../infra/operate/doctor/local.ts'
import { listStackLocations } from '../../infra/operate/doctor/stacks.ts'
import { identityProviders, ownCertificateWithWaf } from './configurations.ts'
import { synthesise } from './synthesised.ts'

const { assembly, templates, ...app } = synthesise(ownCertificateWithWaf)

describe('the doctor’s assumptions about the stacks', () => {
  it('their names, and which one is in another region', () => {
    const { config } = checkConfig({ ...loadContext([]), ...ownCertificateWithWaf })
    const locations = config ? listStackLocations(config, 'unknown-region') : []
    expect(new Map(locations.map(({ name, region }) => [name, region]))).toEqual(
      new Map(assembly.stacks.map(({ stackName, environment }) => [stackName, environment.region])),
    )
  })

  it('the bootstrap version that they require', () => {
    const requiredVersions = assembly.stacks.map(
      ({ requiresBootstrapStackVersion }) => requiresBootstrapStackVersion ?? 0,
    )
    expect(Math.max(...requiredVersions)).toBe(minBootstrapVersion)
    expect(Object.values(templates)[0]?.toJSON()['Parameters']).toMatchObject({
      BootstrapVersion: { Default: '/cdk-bootstrap/hnb659fds/version' },
    })
  })

  it('the outputs that it reads', () => {
    expect(app.outputs('data')).toHaveProperty('ModelKeySecret')
    for (const output of ['GoogleRedirectUri', 'OidcRedirectUri', 'SamlAcsUrl', 'SamlEntityId', 'UserPoolId'])
      expect(app.outputs('auth')).toHaveProperty(output)
    expect(app.outputs('web')).toHaveProperty('SiteUrl')
    expect(app.outputs('web')).toHaveProperty('AddressTarget')
  })

  it('the address of Cognito’s hosted sign-in pages before they exist', async () => {
    const saml = { ...identityProviders[1], domains: ['example.org'] }
    const { config } = checkConfig({ ...loadContext([]), identityProviders: [saml] })
    if (!config) throw new Error('the configuration is wrong')
    const input = { config, region: 'eu-west-1', account: '123456789012', stacks: Promise.resolve([]) }
    const metadata = '<EntityDescriptor ><IDPSSODescriptor ><X509Certificate ><SingleSignOnService >'
    const findings = await checkIdentityProviders(input, async () => new Response(metadata))
    const hostedOrigin = String(app.outputs('auth')['SamlAcsUrl'])
      .replace('<AccountId>', '123456789012')
      .replace('<Region>', 'eu-west-1')
    expect(findings.at(-1)?.next).toContain(hostedOrigin)
  })

  it('the properties with which the table says whether and how long it is retained', () => {
    expect(app.only('data', 'AWS::DynamoDB::Table')).toMatchObject({
      DeletionPolicy: 'Retain',
      Properties: { PointInTimeRecoverySpecification: { RecoveryPeriodInDays: 35 } },
    })
  })
})
