import { expect, it } from 'vitest'
import { synthesise } from './synthesised.ts'

const app = synthesise({ canary: 'on' })

it('the gateway calls the chat by its alias alone, and streams', () => {
  const { logicalId } = app.only('api', 'AWS::Lambda::Alias')
  const uris = app
    .resources('api', 'AWS::ApiGateway::Method')
    .map(({ Properties }) => Properties['Integration'] as { Uri?: string; ResponseTransferMode?: string })
  const toAlias = uris.filter(({ Uri }) => String(Uri).includes('api/ChatLive/'))
  expect(toAlias.length).toBeGreaterThan(1)
  expect(new Set(toAlias.map(({ ResponseTransferMode }) => ResponseTransferMode))).toEqual(
    new Set(['STREAM']),
  )
  expect(uris.filter(({ Uri }) => String(Uri).includes('api/Chat.Arn'))).toEqual([])
  const permitted = app
    .resources('api', 'AWS::Lambda::Permission')
    .map((one) => one.Properties['FunctionName'])
  expect(permitted).toContain('api/ChatLive')
  expect(permitted).not.toContain('api/Chat.Arn')
  expect(logicalId).toMatch(/^ChatLive/)
})

it('a new version gets a tenth of the calls, until the alarm has seen it for ten minutes', () => {
  const { UpdatePolicy } = app.only('api', 'AWS::Lambda::Alias') as { UpdatePolicy?: unknown }
  expect(UpdatePolicy).toEqual({
    CodeDeployLambdaAliasUpdate: {
      ApplicationName: { Ref: app.only('api', 'AWS::CodeDeploy::Application').logicalId },
      DeploymentGroupName: { Ref: app.only('api', 'AWS::CodeDeploy::DeploymentGroup').logicalId },
    },
  })
  expect(app.only('api', 'AWS::CodeDeploy::DeploymentGroup').Properties).toMatchObject({
    DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent10Minutes',
    AlarmConfiguration: { Enabled: true, Alarms: [{ Name: 'api/MonitoringChatErrors' }] },
  })
})

it('former versions stay for the replies that they have begun', () => {
  expect(app.only('api', 'AWS::Lambda::Version')).toMatchObject({
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
  })
})

it('without the setting there is none of it', () => {
  const { resources } = synthesise()
  for (const type of ['AWS::Lambda::Alias', 'AWS::Lambda::Version', 'AWS::CodeDeploy::Application'])
    expect(resources('api', type)).toEqual([])
})
