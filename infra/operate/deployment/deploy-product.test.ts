import {
  CloudFormationClient,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation'
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { GetAccountSettingsCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rowFormat } from '#shared/row-format.ts'
import { mockClient } from '../../../test/support/mock-client.ts'
import { missingStack } from '../../../test/support/missing-stack.ts'
import { deployProduct } from './deploy-product.ts'
import type { Deployer } from './deployer.ts'

const sts = mockClient(STSClient)
const ssm = mockClient(SSMClient)
const cloudFormation = mockClient(CloudFormationClient)
const dynamo = mockClient(DynamoDBClient)
const secrets = mockClient(SecretsManagerClient)
const lambda = mockClient(LambdaClient)
const table = mockClient(DynamoDBDocumentClient)
const mocks = [sts, ssm, cloudFormation, dynamo, secrets, lambda, table]

/** The outputs of the stacks, once they exist. */
let outputs: Record<string, string> | undefined

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-west-1')
  mocks.forEach((mock) => mock.reset())
  outputs = undefined
  sts
    .on(GetCallerIdentityCommand)
    .resolves({ Account: '123456789012', Arn: 'arn:aws:iam::123456789012:user/ann' })
  ssm.on(GetParameterCommand).resolves({ Parameter: { Value: '33' } })
  dynamo.on(ListTablesCommand).resolves({ TableNames: [] })
  lambda.on(GetAccountSettingsCommand).resolves({
    AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 },
  })
  secrets
    .on(DescribeSecretCommand)
    .resolves({ VersionIdsToStages: { v1: ['AWSPREVIOUS'], v2: ['AWSCURRENT'] } })
  cloudFormation.on(DescribeStacksCommand).callsFake(({ StackName }: { StackName: string }) => {
    if (!outputs) throw missingStack(StackName)
    const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }))
    return { Stacks: [{ StackName, StackStatus: 'CREATE_COMPLETE', Outputs }] }
  })
})

afterAll(() => mocks.forEach((mock) => mock.restore()))

/** a folder that does not exist */
const noStages = join(tmpdir(), 'no-stages-of-deploy-product')

interface Attempt {
  context?: string[]
  yes?: boolean
  ask?: Deployer['ask']
  /** the answer to the question for the number of people */
  people?: string
  dryRun?: boolean
  stages?: string
  /** exit codes of `cdk deploy`, and then of the smoke test */
  codes?: number[]
  /** the outputs of the stacks afterwards */
  outputsAfter?: Record<string, string>
}

async function attempt({
  context = [],
  yes = false,
  ask,
  people,
  dryRun = false,
  stages = noStages,
  codes = [0, 0],
  outputsAfter,
}: Attempt) {
  const output: string[] = []
  const exitCodes = [...codes]
  const run = vi.fn<Deployer['run']>(async () => {
    outputs = outputsAfter
    return exitCodes.shift() ?? 0
  })
  const code = await deployProduct(context, {
    yes,
    dryRun,
    stages,
    assembly: noStages,
    ask,
    ...(people !== undefined && { askText: async () => people }),
    run,
    print: (text) => output.push(text),
  })
  return { code, output: output.join(''), commands: run.mock.calls.map(([args]) => args.join(' ')), run }
}

const answerYes = async () => true
const answerNo = async () => false
const stackOutputs = {
  SiteUrl: 'https://d111.cloudfront.net',
  ModelKeySecret: 'arn:key',
  RegistrySyncFunction: 'juno-dev-api-RegistrySync',
}

describe('settings of a stage', () => {
  const stages = mkdtempSync(join(tmpdir(), 'stages-'))
  const file = join(stages, 'live.json')
  afterEach(() => rmSync(file, { force: true }))
  afterAll(() => rmSync(stages, { recursive: true, force: true }))
  const context = ['stage=live', 'signUp=example.org']

  it('are stored with the number of people the first time, and read the next time', async () => {
    const { output } = await attempt({
      context,
      stages,
      people: ' 30 ',
      ask: answerNo,
      outputsAfter: stackOutputs,
    })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      stage: 'live',
      signUp: 'example.org',
      users: 30,
    })
    expect(output).toContain('they need -c stage=live only')
    expect(output).toMatch(/warning +People: .*enough for \d+ of 30|People: enough for 30/)
    const second = await attempt({
      context: ['stage=live'],
      stages,
      people: '99',
      ask: answerYes,
      outputsAfter: stackOutputs,
    })
    expect(second.output).not.toContain('Sign-up is by invitation')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ users: 30 })
  })

  it.each([
    ['no answer', { context, people: '' }],
    ['the number on the command line', { context: [...context, 'users=30'], people: '99' }],
    ['--yes', { context, people: '99', yes: true }],
    ['--dry-run', { context, people: '99', dryRun: true }],
  ])('are not stored with %s', async (_, options) => {
    await attempt({ ...options, stages, ask: answerYes, outputsAfter: stackOutputs })
    expect(existsSync(file)).toBe(false)
  })

  it('are not stored for an answer that is no number', async () => {
    await expect(attempt({ context, stages, people: 'thirty', ask: answerYes })).rejects.toThrow(
      'thirty must be a whole',
    )
    expect(existsSync(file)).toBe(false)
  })

  it('that a command was not given are named, and it asks', async () => {
    outputs = {
      ...stackOutputs,
      DeployedSettings: '{"stage":"live","siteTokensPerDay":"300000000","signUp":"open"}',
    }
    const { output, commands } = await attempt({ context, ask: answerNo })
    expect(output).toContain(
      'Settings: signUp becomes example.org (deployed: open); siteTokensPerDay returns to its default (deployed: 300000000).',
    )
    expect(commands).toEqual([])
  })

  it('with --dry-run shows what would change, without a terminal and without changing anything', async () => {
    const { code, commands } = await attempt({ context, dryRun: true, codes: [0] })
    expect(commands).toEqual(['node_modules/aws-cdk/bin/cdk diff --all -c stage=live -c signUp=example.org'])
    expect(code).toBe(0)
  })
})

describe('deployProduct', () => {
  it('checks, deploys with the same context, prints the address and tests it', async () => {
    const { code, output, commands, run } = await attempt({
      context: ['stage=live', 'assistantName=Ada'],
      ask: answerNo,
      outputsAfter: stackOutputs,
    })
    expect(commands).toEqual([
      'node_modules/aws-cdk/bin/cdk deploy --all --require-approval broadening -c stage=live -c assistantName=Ada',
      'infra/operate/smoke.ts -c stage=live -c assistantName=Ada',
    ])
    expect(run.mock.calls.map(([, env]) => env)).toEqual([
      { AWS_REGION: 'eu-west-1' },
      { AWS_REGION: 'eu-west-1' },
    ])
    expect(output).toContain('Deployed: https://d111.cloudfront.net')
    expect(code).toBe(0)
  })

  it.each([
    [
      ['stage=live', 'brandName=A Desk'],
      "npm run invite -- --admin you@example.org -c stage=live -c 'brandName=A Desk'\n",
    ],
    [['stage=live', 'signUp=open'], undefined],
    [['stage=live', 'signUp=example.org'], undefined],
  ])('tells the operator of a closed site how to get in: %j (H6)', async (context, expected) => {
    const { output } = await attempt({ context, yes: true, outputsAfter: stackOutputs })
    const [, command] = /→ Sign-up is by invitation. The first one is yours: (.*\n)/.exec(output) ?? []
    expect(command).toBe(expected)
  })

  it('starts the catalogue’s first sync, and only the first', async () => {
    lambda.on(InvokeCommand).resolves({ StatusCode: 202 })
    const first = await attempt({ yes: true, outputsAfter: stackOutputs })
    expect(first.output).toContain('The catalogue of integrations is being loaded')
    const [call] = lambda.commandCalls(InvokeCommand)
    expect(call?.args[0].input).toMatchObject({
      FunctionName: 'juno-dev-api-RegistrySync',
      InvocationType: 'Event',
    })
    expect(JSON.parse(new TextDecoder().decode(call?.args[0].input.Payload as Uint8Array))).toEqual({
      id: 'first-deployment',
      source: 'aws.scheduler',
    })
    // the stacks exist by now
    cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody: '{}' })
    const again = await attempt({ yes: true, outputsAfter: stackOutputs })
    expect(again.code).toBe(0)
    expect(lambda.commandCalls(InvokeCommand)).toHaveLength(1)
  })

  it('does not fail if the sync cannot be started', async () => {
    lambda.on(InvokeCommand).rejects(new Error('not authorized'))
    const { code, output } = await attempt({ yes: true, outputsAfter: stackOutputs })
    expect(code).toBe(0)
    expect(output).toContain('could not be loaded now (not authorized); that happens at 03:17 UTC.')
  })

  it('records the format of the rows in a new table, also if a later stack fails, and in no other', async () => {
    const Item = { PK: 'FORMAT', SK: 'FORMAT', format: rowFormat }
    await attempt({ yes: true, codes: [1], outputsAfter: { TableName: 'juno-dev-data-Table' } })
    const [call, ...others] = table.commandCalls(PutCommand)
    expect(others).toEqual([])
    expect(call?.args[0].input).toMatchObject({
      TableName: 'juno-dev-data-Table',
      Item,
      ConditionExpression: 'attribute_not_exists(PK)',
    })
    cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody: '{}' })
    table.on(GetCommand).resolves({ Item })
    await attempt({ yes: true, outputsAfter: { ...stackOutputs, TableName: 'juno-dev-data-Table' } })
    expect(table.commandCalls(PutCommand)).toHaveLength(1)
  })

  it('says so if the format could not be recorded', async () => {
    table.on(PutCommand).rejects(new Error('not authorized'))
    const { code, output } = await attempt({
      yes: true,
      outputsAfter: { ...stackOutputs, TableName: 'juno-dev-data-Table' },
    })
    expect(code).toBe(0)
    expect(output).toContain('could not be recorded (not authorized); npm run migrate records it.')
  })

  it('asks nothing with --yes, not even about wider permissions', async () => {
    const { code, commands } = await attempt({ yes: true, outputsAfter: stackOutputs })
    expect(commands[0]).toBe('node_modules/aws-cdk/bin/cdk deploy --all --require-approval never')
    expect(code).toBe(0)
  })

  it('does nothing if nobody can be asked', async () => {
    const { code, output, commands } = await attempt({})
    expect([code, commands]).toEqual([2, []])
    expect(output).toContain('give --yes')
  })

  it('stops at a problem, even with --yes', async () => {
    ssm.on(GetParameterCommand).resolves({ Parameter: { Value: '5' } })
    const { code, output, commands } = await attempt({ yes: true })
    expect([code, commands]).toEqual([1, []])
    expect(output).toContain('npm run bootstrap -- aws://123456789012/eu-west-1')
  })

  it('stops at an invalid configuration', async () => {
    const { code, output, commands } = await attempt({ yes: true, context: ['stage=1'] })
    expect([code, commands]).toEqual([1, []])
    expect(output).toContain('Context stage must be')
  })

  it.each([
    [answerNo, false, 1, 0],
    [answerYes, false, 0, 2],
    [undefined, true, 0, 2],
  ])('continues after a warning if the operator confirms it, or with --yes', async (ask, yes, code, runs) => {
    dynamo.on(ListTablesCommand).resolves({ TableNames: ['juno-dev-data-Table1'] })
    const outcome = await attempt({ ask, yes, outputsAfter: stackOutputs })
    expect(outcome.code).toBe(code)
    expect(outcome.commands).toHaveLength(runs)
    expect(outcome.output).toContain('No problem, 1 warning.')
  })

  it('says why a deployment failed, and does not test it', async () => {
    cloudFormation
      .on(DescribeStackEventsCommand)
      .rejects(missingStack('x'))
      .on(DescribeStackEventsCommand, { StackName: 'juno-dev-auth' })
      .resolves({
        StackEvents: [
          {
            StackId: 'arn',
            EventId: '1',
            StackName: 'juno-dev-auth',
            LogicalResourceId: 'UserPool',
            ResourceType: 'AWS::Cognito::UserPool',
            ResourceStatus: 'CREATE_FAILED',
            ResourceStatusReason: 'Email address is not verified.',
            Timestamp: new Date(),
          },
        ],
      })
    const { code, output, commands } = await attempt({ yes: true, codes: [1] })
    expect(code).toBe(1)
    expect(commands).toHaveLength(1)
    expect(output).toContain('juno-dev-auth: UserPool (AWS::Cognito::UserPool) is CREATE_FAILED.')
  })

  it('says so if even the reason cannot be read', async () => {
    cloudFormation.on(DescribeStackEventsCommand).rejects(new Error('Rate exceeded'))
    const { code, output } = await attempt({ yes: true, codes: [1] })
    expect(code).toBe(1)
    expect(output).toContain('CloudFormation does not tell why: Rate exceeded')
  })

  it('skips the test until the model’s key is stored', async () => {
    secrets.on(DescribeSecretCommand).resolves({ VersionIdsToStages: { v1: ['AWSCURRENT'] } })
    const { code, output, commands } = await attempt({
      yes: true,
      context: ['stage=live', "brandName=Ann's Desk"],
      outputsAfter: stackOutputs,
    })
    expect(code).toBe(0)
    expect(commands).toHaveLength(1)
    expect(output).toContain('npm run secret -- set model-key')
    expect(output).toContain(
      String.raw`Then try it out: npm run smoke -- -c stage=live -c 'brandName=Ann'\''s Desk'`,
    )
  })

  it('exits with 1 if the product does not work', async () => {
    const { code, output } = await attempt({ yes: true, codes: [0, 1], outputsAfter: stackOutputs })
    expect(code).toBe(1)
    expect(output).toContain('Deployed at https://d111.cloudfront.net, but it does not work')
  })

  it('lists what only the operator can do', async () => {
    const certificateArn =
      'arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012'
    const { output } = await attempt({
      yes: true,
      context: [
        'domainName=chat.example.org',
        `certificateArn=${certificateArn}`,
        'googleClientId=id',
        'googleSecretName=google',
        'alarmEmail=ann@example.org',
      ],
      outputsAfter: {
        ...stackOutputs,
        SiteUrl: 'https://chat.example.org',
        AddressTarget: 'd111.cloudfront.net',
        GoogleRedirectUri: 'https://juno-dev-1.auth.eu-west-1.amazoncognito.com/oauth2/idpresponse',
      },
    })
    expect(output).toContain('Let chat.example.org point to d111.cloudfront.net')
    expect(output).toContain(
      'amazoncognito.com/oauth2/idpresponse has to be among the authorised redirect URIs',
    )
    expect(output).toContain('ann@example.org gets a mail to confirm')
  })

  it('DEC-191 lists what identity providers need to know', async () => {
    // a provider that cannot be reached from here is a warning
    vi.stubGlobal('fetch', () => Promise.reject(new Error('fetch failed')))
    const identityProviders = [
      {
        name: 'Okta',
        type: 'oidc',
        label: 'Okta',
        issuer: 'https://example.okta.com',
        clientId: 'id',
        secretName: 'okta',
        domains: ['example.org'],
      },
      { name: 'Adfs', type: 'saml', label: 'AD FS', metadataUrl: 'https://adfs.example.com/metadata.xml' },
    ]
    const { output } = await attempt({
      yes: true,
      context: [`identityProviders=${JSON.stringify(identityProviders)}`],
      outputsAfter: {
        ...stackOutputs,
        OidcRedirectUri: 'https://pages.example/oauth2/idpresponse',
        SamlAcsUrl: 'https://pages.example/saml2/idpresponse',
        SamlEntityId: 'urn:amazon:cognito:sp:pool',
      },
    })
    expect(output).toContain(
      'Whoever has an address at example.org signs in with Okta, without an invitation.',
    )
    expect(output).not.toContain('npm run invite')
    expect(output).toContain(
      'At Okta, https://pages.example/oauth2/idpresponse has to be among the redirect URIs.',
    )
    expect(output).toContain(
      'At AD FS, the reply URL (ACS) is https://pages.example/saml2/idpresponse, and the entity id urn:amazon:cognito:sp:pool.',
    )
  })
})
