import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { beforeEach, expect, it } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { findDeployment, readLocalEndpoints } from './stage.ts'

const cloudFormation = mockClient(CloudFormationClient)
const addStack = (StackName: string, outputs: Record<string, string>) =>
  cloudFormation.on(DescribeStacksCommand, { StackName }).resolves({
    Stacks: [
      {
        StackName,
        CreationTime: new Date(0),
        StackStatus: 'ROLLBACK_COMPLETE',
        Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
      },
    ],
  })
const find = async (context: string[], url?: string) =>
  findDeployment({ context, url }, new CloudFormationClient({ region: 'eu-central-1' }))

beforeEach(() => {
  cloudFormation.reset()
  addStack('ada-live-web', { SiteUrl: 'https://d1.cloudfront.net' })
  addStack('ada-live-auth', { UserPoolId: 'eu-central-1_Ab' })
})

const liveContext = ['stage=live', 'assistantName=Ada']

it('finds a deployment by the values it was deployed with', async () => {
  expect(await find(liveContext)).toMatchObject({
    origin: 'https://d1.cloudfront.net',
    userPoolId: 'eu-central-1_Ab',
  })
  expect(await find(liveContext, 'https://chat.example.org/')).toMatchObject({
    origin: 'https://chat.example.org',
  })
})

it.each([
  ['an unknown context key', ['stag=live'], 'Context stag is not known.'],
  ['a --url without https://', liveContext, '--url chat.example.org is not an address', 'chat.example.org'],
])('refuses %s', async (_, context, reason, url?: string) => {
  await expect(find(context, url)).rejects.toThrow(reason)
})

it('reports a stack that does not exist, cannot be read, or has no output', async () => {
  const refusal = (name: string, message: string) => Object.assign(new Error(message), { name })
  const web = cloudFormation.on(DescribeStacksCommand, { StackName: 'ada-live-web' })
  web.rejects(refusal('ValidationError', 'Stack with id ada-live-web does not exist'))
  await expect(find(liveContext)).rejects.toThrow(
    'There is no stack ada-live-web in this account and region.',
  )
  web.rejects(refusal('ExpiredToken', 'The security token is expired'))
  await expect(find(liveContext)).rejects.toThrow(
    'The stack ada-live-web could not be read: The security token is expired (npm run doctor',
  )
  addStack('ada-live-web', {})
  await expect(find(liveContext)).rejects.toThrow(
    'The stack ada-live-web has no output SiteUrl: it is ROLLBACK_COMPLETE.',
  )
})

it('reports that no local product has run', async () => {
  await expect(readLocalEndpoints('/nowhere')).rejects.toThrow('No local product has run on /nowhere')
})
