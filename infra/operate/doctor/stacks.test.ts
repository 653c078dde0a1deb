import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  type StackStatus,
} from '@aws-sdk/client-cloudformation'
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, describe, expect, it } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { missingStack } from '../../../test/support/missing-stack.ts'
import { checkConfig } from './local.ts'
import {
  checkChanges,
  checkLeftovers,
  checkStacks,
  fetchStacks,
  type DeployedStack,
  type DoctorInput,
} from './stacks.ts'

const cloudFormation = mockClient(CloudFormationClient)
const dynamo = mockClient(DynamoDBClient)
afterEach(() => {
  cloudFormation.reset()
  dynamo.reset()
})

const region = 'eu-west-1'
const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012'

function buildInput(stacks: readonly DeployedStack[], context: Record<string, string> = {}): DoctorInput {
  const { config } = checkConfig(context)
  if (!config) throw new Error('the test gives a wrong configuration')
  return { config, region, account: '123456789012', stacks: Promise.resolve(stacks) }
}

const deployedStack = (
  part: string,
  status: StackStatus,
  outputs: Record<string, string> = {},
): DeployedStack => ({
  name: `juno-dev-${part}`,
  region: part === 'edge' ? 'us-east-1' : region,
  stack: {
    StackName: `juno-dev-${part}`,
    StackStatus: status,
    CreationTime: new Date(0),
    Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
  },
})

describe('fetchStacks', () => {
  it('skips those that do not exist', async () => {
    cloudFormation.on(DescribeStacksCommand).callsFake(({ StackName }: { StackName: string }) => {
      if (StackName !== 'juno-dev-auth') throw missingStack(StackName)
      return { Stacks: [{ StackName, StackStatus: 'CREATE_COMPLETE' }] }
    })
    const found = await fetchStacks(buildInput([]).config, region)
    expect(found.map(({ name }) => name)).toEqual(['juno-dev-auth'])
    expect(cloudFormation.commandCalls(DescribeStacksCommand)).toHaveLength(5)
  })

  it('passes every other error on', async () => {
    cloudFormation.on(DescribeStacksCommand).rejects(new Error('Rate exceeded'))
    await expect(fetchStacks(buildInput([]).config, region)).rejects.toThrow('Rate exceeded')
  })
})

describe('checkStacks', () => {
  it('reports a first deployment', async () => {
    expect(await checkStacks(buildInput([]))).toEqual([
      { level: 'ok', found: 'none yet: this will be the first deployment of juno-dev.' },
    ])
  })

  it('reports healthy states', async () => {
    const stacks = [
      deployedStack('data', 'CREATE_COMPLETE'),
      deployedStack('auth', 'UPDATE_ROLLBACK_COMPLETE'),
    ]
    expect(await checkStacks(buildInput(stacks))).toEqual([
      { level: 'ok', found: 'juno-dev-data CREATE_COMPLETE, juno-dev-auth UPDATE_ROLLBACK_COMPLETE.' },
    ])
  })

  it.each([
    ['REVIEW_IN_PROGRESS', 'ok', ''],
    ['ROLLBACK_COMPLETE', 'warning', 'the CDK deletes it'],
    ['ROLLBACK_FAILED', 'problem', 'npx cdk destroy --exclusively juno-dev-api'],
    ['DELETE_FAILED', 'problem', 'npx cdk destroy --exclusively juno-dev-api'],
    ['CREATE_FAILED', 'problem', 'npx cdk rollback juno-dev-api'],
    ['UPDATE_FAILED', 'problem', 'npx cdk rollback juno-dev-api'],
    ['UPDATE_ROLLBACK_FAILED', 'problem', 'npx cdk rollback juno-dev-api'],
    ['CREATE_IN_PROGRESS', 'problem', 'Wait'],
    ['UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', 'problem', 'Wait'],
    ['DELETE_IN_PROGRESS', 'problem', 'Wait'],
  ] as const)('%s: %s', async (status, level, next) => {
    const [finding, ...others] = await checkStacks(
      buildInput([deployedStack('data', 'CREATE_COMPLETE'), deployedStack('api', status)]),
    )
    expect(others).toEqual([])
    expect(finding?.level).toBe(level)
    expect(finding?.next ?? '').toContain(next)
  })
})

describe('checkLeftovers', () => {
  it.each([
    [[], 'ok'],
    [['juno-dev2-data-Table1', 'other'], 'ok'],
    [['juno-dev-data-TableCD117FA1-1X2Y', 'zebra'], 'warning'],
  ])('finds those of an earlier deployment among the tables %j: %s', async (TableNames, level) => {
    dynamo.on(ListTablesCommand).resolves({ TableNames })
    expect((await checkLeftovers(buildInput([])))?.level).toBe(level)
    expect(dynamo.commandCalls(ListTablesCommand)[0]?.args[0].input).toMatchObject({
      ExclusiveStartTableName: 'juno-dev-data-',
    })
  })

  it('checks nothing while the data is in use', async () => {
    expect(await checkLeftovers(buildInput([deployedStack('data', 'UPDATE_COMPLETE')]))).toBeUndefined()
  })

  it.each(['ROLLBACK_COMPLETE', 'REVIEW_IN_PROGRESS'] as const)(
    'checks the tables if the first deployment failed or was never executed (%s)',
    async (status) => {
      dynamo.on(ListTablesCommand).resolves({ TableNames: ['juno-dev-data-Table-1'] })
      const finding = await checkLeftovers(buildInput([deployedStack('data', status)]))
      expect(finding).toMatchObject({
        level: 'warning',
        found: expect.stringContaining('juno-dev-data-Table-1'),
      })
    },
  )
})

describe('checkChanges', () => {
  const mockTable = (table: object) =>
    cloudFormation.on(GetTemplateCommand).resolves({
      TemplateBody: JSON.stringify({ Resources: { Table: { Type: 'AWS::DynamoDB::Table', ...table } } }),
    })
  const retainedTable = {
    DeletionPolicy: 'Retain',
    Properties: { PointInTimeRecoverySpecification: { RecoveryPeriodInDays: 35 } },
  }
  const stacks = (url: string) => [
    deployedStack('data', 'CREATE_COMPLETE'),
    deployedStack('web', 'CREATE_COMPLETE', { SiteUrl: url }),
  ]
  const listFindings = async (url: string, context: Record<string, string>) =>
    (await checkChanges(buildInput(stacks(url), context))).map((finding) => [finding.level, finding.found])

  it('reports nothing for a first deployment', async () => {
    expect(await checkChanges(buildInput([]))).toEqual([])
  })

  it('reports nothing for a stack whose change set was never executed: its template is empty', async () => {
    cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody: '' })
    expect(await checkChanges(buildInput([deployedStack('data', 'REVIEW_IN_PROGRESS')]))).toEqual([
      { level: 'ok', found: 'none that is hard to take back.' },
    ])
  })

  it('reports nothing for the same configuration', async () => {
    mockTable(retainedTable)
    expect(await listFindings('https://d111.cloudfront.net', {})).toEqual([
      ['ok', 'none that is hard to take back.'],
    ])
    expect(
      await listFindings('https://chat.example.org', { domainName: 'chat.example.org', certificateArn }),
    ).toEqual([['ok', 'none that is hard to take back.']])
  })

  it.each([
    ['https://chat.example.org', {}, "from https://chat.example.org to one of CloudFront's"],
    [
      'https://d111.cloudfront.net',
      { domainName: 'chat.example.org', certificateArn },
      'from https://d111.cloudfront.net to https://chat.example.org',
    ],
    [
      'https://chat.example.org',
      { domainName: 'talk.example.org', certificateArn },
      'from https://chat.example.org to https://talk.example.org',
    ],
  ])('warns of a changed address: %s, %j', async (url, context, expected) => {
    mockTable(retainedTable)
    expect(await listFindings(url, context)).toEqual([['warning', expect.stringContaining(expected)]])
  })

  it('warns if data would no longer be retained, or not for as long', async () => {
    mockTable(retainedTable)
    expect(await listFindings('https://d111.cloudfront.net', { keepData: 'off', recoveryDays: '7' })).toEqual(
      [
        ['warning', expect.stringContaining('keepData was on and is off now')],
        ['warning', expect.stringContaining('falls from 35 to 7')],
      ],
    )
  })

  it('accepts the opposite change', async () => {
    mockTable({
      DeletionPolicy: 'Delete',
      Properties: { PointInTimeRecoverySpecification: { RecoveryPeriodInDays: 7 } },
    })
    expect(await listFindings('https://d111.cloudfront.net', {})).toEqual([['ok', expect.any(String)]])
  })

  it('reports a change of the vault, where submitted credentials are stored', async () => {
    const api = [deployedStack('api', 'CREATE_COMPLETE', { Vault: 'secrets' })]
    const [finding] = await checkChanges(buildInput(api, { vault: 'table' }))
    expect(finding).toMatchObject({
      level: 'warning',
      found: expect.stringContaining('vault changes from secrets to table'),
      next: expect.stringContaining('npm run vault -- --to table'),
    })
    expect(await checkChanges(buildInput(api))).toMatchObject([{ level: 'ok' }])
  })

  it('finds an edge stack that is no longer needed', async () => {
    const [finding] = await checkChanges(buildInput([deployedStack('edge', 'CREATE_COMPLETE')]))
    expect(finding?.next).toContain('delete it in the console of CloudFormation, us-east-1')
    const findings = await checkChanges(buildInput([deployedStack('edge', 'CREATE_COMPLETE')], { waf: 'on' }))
    expect(findings.map(({ level }) => level)).toEqual(['ok'])
  })
})
