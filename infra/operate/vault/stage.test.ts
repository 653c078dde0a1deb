import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { expect, it } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { readLocalEndpoints } from '../local-endpoints.ts'
import { fetchVaultStage } from './stage.ts'

const buildDescription = (name: string, outputs: Record<string, string>) => ({
  Stacks: [
    {
      StackName: name,
      CreationTime: new Date(0),
      StackStatus: 'CREATE_COMPLETE' as const,
      Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
    },
  ],
})
const cloudFormation = mockClient(CloudFormationClient)
const dataOutputs = { TableName: 'table-1', SealingKeySecret: 'arn:sealing', ModelKeySecret: 'arn:model' }

/** The responses for a stage's stacks. */
function mockStacks(api: Record<string, string>) {
  cloudFormation.reset()
  cloudFormation
    .on(DescribeStacksCommand, { StackName: 'ada-live-data' })
    .resolves(buildDescription('data', dataOutputs))
  cloudFormation
    .on(DescribeStacksCommand, { StackName: 'ada-live-api' })
    .resolves(buildDescription('api', api))
  return new CloudFormationClient({})
}

it('finds a stage by the outputs of its stacks', async () => {
  const client = mockStacks({ Vault: 'table', VaultPrefix: 'ada-live/vault' })
  expect(await fetchVaultStage(client, 'ada-live')).toEqual({
    table: 'table-1',
    sealingKey: 'arn:sealing',
    vaultPrefix: 'ada-live/vault',
    vault: 'table',
  })
})

it('reports a stage that is not deployed, or older than this version', async () => {
  await expect(fetchVaultStage(mockStacks({}), 'ada-live')).rejects.toThrow(
    'The stacks of ada-live are older than this command: deploy them first.',
  )
  cloudFormation
    .on(DescribeStacksCommand)
    .rejects(Object.assign(new Error('Stack with id x does not exist'), { name: 'ValidationError' }))
  await expect(fetchVaultStage(new CloudFormationClient({}), 'ada-live')).rejects.toThrow(
    'There is no stack ada-live-data here: is it the right stage, region and account?',
  )
  cloudFormation.on(DescribeStacksCommand).rejects(Object.assign(new Error('no'), { name: 'AccessDenied' }))
  await expect(fetchVaultStage(new CloudFormationClient({}), 'ada-live')).rejects.toThrow('no')
})

it('reports that no local product has run', async () => {
  await expect(readLocalEndpoints('/nowhere')).rejects.toThrow('No local product has run on /nowhere')
})
