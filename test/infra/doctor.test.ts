import { describe, expect, it } from 'vitest'
import { minimumBootstrap } from '../../infra/operate/doctor/account.ts'
import { loadContext } from '../../infra/operate/cdk-context.ts'
import { checkConfig } from '../../infra/operate/doctor/local.ts'
import { listStackIds } from '../../infra/operate/doctor/stacks.ts'
import { synthesise } from './synthesised.ts'

const context = {
  domainName: 'chat.example.org',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012',
  waf: 'on',
  googleClientId: 'id',
  googleSecretName: 'google',
}
const { assembly, templates, ...app } = synthesise(context)

describe('what the doctor takes for granted of the stacks', () => {
  it('are their names, and which one is in another region', () => {
    const { config } = checkConfig({ ...loadContext([]), ...context })
    const places = config ? listStackIds(config, 'unknown-region') : []
    expect(new Map(places.map(({ name, region }) => [name, region]))).toEqual(
      new Map(assembly.stacks.map(({ stackName, environment }) => [stackName, environment.region])),
    )
  })

  it('is the bootstrap that they ask for', () => {
    const asked = assembly.stacks.map(
      ({ requiresBootstrapStackVersion }) => requiresBootstrapStackVersion ?? 0,
    )
    expect(Math.max(...asked)).toBe(minimumBootstrap)
    expect(Object.values(templates)[0]?.toJSON()['Parameters']).toMatchObject({
      BootstrapVersion: { Default: '/cdk-bootstrap/hnb659fds/version' },
    })
  })

  it('are the outputs it reads', () => {
    expect(app.outputs('data')).toHaveProperty('ModelKeySecret')
    expect(app.outputs('auth')).toHaveProperty('GoogleRedirectUri')
    expect(app.outputs('web')).toHaveProperty('SiteUrl')
    expect(app.outputs('web')).toHaveProperty('AddressTarget')
  })

  it('is where the table says how long it is kept', () => {
    expect(app.only('data', 'AWS::DynamoDB::Table')).toMatchObject({
      DeletionPolicy: 'Retain',
      Properties: { PointInTimeRecoverySpecification: { RecoveryPeriodInDays: 35 } },
    })
  })
})
