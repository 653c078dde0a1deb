import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda'
import {
  DescribeSecretCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
  type DescribeSecretResponse,
} from '@aws-sdk/client-secrets-manager'
import {
  GetAccountCommand,
  GetEmailIdentityCommand,
  NotFoundException,
  SESv2Client,
} from '@aws-sdk/client-sesv2'
import { GetParameterCommand, ParameterNotFound, SSMClient, SSMServiceException } from '@aws-sdk/client-ssm'
import { afterEach, describe, expect, it } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import {
  checkBootstrap,
  checkConcurrency,
  checkDomain,
  checkMail,
  checkSecrets,
  checkUsers,
} from './account.ts'
import type { Finding } from './finding.ts'
import { checkConfig } from './local.ts'
import type { DeployedStack, DoctorInput } from './stacks.ts'

const ssm = mockClient(SSMClient)
const secrets = mockClient(SecretsManagerClient)
const ses = mockClient(SESv2Client)
const lambda = mockClient(LambdaClient)
afterEach(() => [ssm, secrets, ses, lambda].forEach((mock) => mock.reset()))

const region = 'eu-west-1'
const errorOptions = { message: '', $metadata: {} }
const accessDenied = new SSMServiceException({
  name: 'AccessDeniedException',
  message: 'User: ann is not authorized to perform: ssm:GetParameter',
  $fault: 'client',
  $metadata: {},
})

function buildInput(
  context: Record<string, string> = {},
  stacks: readonly DeployedStack[] = [],
): DoctorInput {
  const { config } = checkConfig(context)
  if (!config) throw new Error('the test gives a wrong configuration')
  return { config, region, account: '123456789012', stacks: Promise.resolve(stacks) }
}

const listLevels = (findings: readonly Finding[]) => findings.map(({ level }) => level)

describe('checkBootstrap', () => {
  const mockVersions = (versions: Record<string, string | Error>) =>
    ssm.on(GetParameterCommand).callsFake(async (_, getClient) => {
      const version = versions[await (getClient() as unknown as SSMClient).config.region()]
      if (version instanceof Error) throw version
      return { Parameter: { Value: version } }
    })

  it.each([
    ['33', 'ok'],
    ['6', 'ok'],
    ['5', 'problem'],
    [new ParameterNotFound(errorOptions), 'problem'],
    [accessDenied, 'warning'],
    [Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT' }), 'problem'],
  ])('version %s: %s', async (version, level) => {
    mockVersions({ 'eu-west-1': version })
    expect(listLevels(await checkBootstrap(buildInput()))).toEqual([level])
  })

  it('checks us-east-1 too if the edge stack is needed, and says what to do there', async () => {
    mockVersions({ 'eu-west-1': '33', 'us-east-1': new ParameterNotFound(errorOptions) })
    expect(await checkBootstrap(buildInput({ waf: 'on' }))).toEqual([
      { level: 'ok', found: 'version 33 in eu-west-1.' },
      {
        level: 'problem',
        found: 'missing in us-east-1.',
        next: 'npm run bootstrap -- aws://123456789012/us-east-1',
      },
    ])
    expect(ssm.commandCalls(GetParameterCommand)[0]?.args[0].input.Name).toBe(
      '/cdk-bootstrap/hnb659fds/version',
    )
  })
})

describe('checkSecrets', () => {
  const withOneVersion: DescribeSecretResponse = { VersionIdsToStages: { v1: ['AWSCURRENT'] } }
  const withTwoVersions = { VersionIdsToStages: { v1: ['AWSPREVIOUS'], v2: ['AWSCURRENT'] } }
  const dataStack: DeployedStack = {
    name: 'juno-dev-data',
    region,
    stack: {
      StackName: 'juno-dev-data',
      StackStatus: 'CREATE_COMPLETE',
      CreationTime: new Date(0),
      Outputs: [{ OutputKey: 'ModelKeySecret', OutputValue: 'arn:model-key' }],
    },
  }

  it('checks nothing in a first deployment without named secrets', async () => {
    expect(listLevels(await checkSecrets(buildInput()))).toEqual(['ok'])
    expect(secrets.calls()).toHaveLength(0)
  })

  it.each([
    [withOneVersion, 'ok', ''],
    [new ResourceNotFoundException(errorOptions), 'problem', 'npm run secret -- set juno/key'],
    [{ ...withOneVersion, DeletedDate: new Date(0) }, 'problem', 'npm run secret -- restore juno/key'],
    [{ VersionIdsToStages: {} }, 'problem', 'npm run secret -- set juno/key'],
    [{}, 'problem', 'npm run secret -- set juno/key'],
    [
      { ...withOneVersion, KmsKeyId: 'arn:aws:kms:eu-west-1:123456789012:key/1' },
      'warning',
      'npm run secret -- set juno/key-2',
    ],
    [{ ...withOneVersion, KmsKeyId: 'alias/aws/secretsmanager' }, 'ok', ''],
    [accessDenied, 'warning', 'Grant the permission'],
  ])('a named secret, described by %j: %s', async (secret, level, next) => {
    if (secret instanceof Error) secrets.on(DescribeSecretCommand).rejects(secret)
    else secrets.on(DescribeSecretCommand).resolves(secret)
    const [finding, ...others] = await checkSecrets(buildInput({ modelKeySecretName: 'juno/key' }))
    expect(others).toEqual([])
    expect(finding?.level).toBe(level)
    expect(finding?.next ?? '').toContain(next)
  })

  it('checks each named secret, and reads none', async () => {
    secrets.on(DescribeSecretCommand).resolves(withOneVersion)
    const findings = await checkSecrets(
      buildInput({
        modelKeySecretName: 'a',
        googleClientId: 'id',
        googleSecretName: 'b',
        githubTokenSecretName: 'c',
        providerAppsSecretName: 'd',
      }),
    )
    expect(findings.map(({ found }) => found)).toEqual([
      'a (modelKeySecretName) is there.',
      'b (googleSecretName) is there.',
      'c (githubTokenSecretName) is there.',
      'd (providerAppsSecretName) is there.',
    ])
    expect(secrets.calls()).toHaveLength(4)
    expect(secrets.commandCalls(DescribeSecretCommand)).toHaveLength(4)
  })

  it.each([
    [withTwoVersions, 'ok'],
    [withOneVersion, 'warning'],
    [new ResourceNotFoundException(errorOptions), 'warning'],
  ])('the secret of the data stack, described by %j: %s', async (secret, level) => {
    if (secret instanceof Error) secrets.on(DescribeSecretCommand).rejects(secret)
    else secrets.on(DescribeSecretCommand).resolves(secret)
    expect(listLevels(await checkSecrets(buildInput({}, [dataStack])))).toEqual([level])
    expect(secrets.commandCalls(DescribeSecretCommand)[0]?.args[0].input.SecretId).toBe('arn:model-key')
  })
})

describe('checkMail', () => {
  const sender = { sesSender: 'hello@example.org' }
  const mockAccount = (values: object) =>
    ses.on(GetAccountCommand).resolves({ SendingEnabled: true, ProductionAccessEnabled: true, ...values })
  const mockIdentity = (VerifiedForSendingStatus: boolean) =>
    ses.on(GetEmailIdentityCommand).resolves({ VerifiedForSendingStatus })

  it("names the limit of Cognito's own mailer, and calls nothing", async () => {
    expect(await checkMail(buildInput())).toEqual([
      { level: 'ok', found: "Cognito's own mailer: 50 a day, with codes and without links." },
    ])
    expect(ses.calls()).toHaveLength(0)
  })

  it.each([
    ['domain', 'example.org'],
    ['address', 'hello@example.org'],
  ])('looks up the %s', async (sesIdentity, expected) => {
    mockIdentity(true)
    mockAccount({})
    expect(listLevels(await checkMail(buildInput({ ...sender, sesIdentity })))).toEqual(['ok', 'ok'])
    expect(ses.commandCalls(GetEmailIdentityCommand)[0]?.args[0].input.EmailIdentity).toBe(expected)
  })

  it('reports a sender that SES has not verified, or does not know', async () => {
    mockAccount({})
    mockIdentity(false)
    expect(listLevels(await checkMail(buildInput(sender)))).toEqual(['problem', 'ok'])
    ses.on(GetEmailIdentityCommand).rejects(new NotFoundException(errorOptions))
    const [finding] = await checkMail(buildInput(sender))
    expect(finding).toMatchObject({
      level: 'problem',
      found: 'SES in eu-west-1 does not know example.org.',
      next: expect.stringContaining(
        'Console of Amazon SES, eu-west-1, Identities, Create identity: example.org',
      ),
    })
  })

  it.each([
    [{ ProductionAccessEnabled: false }, 'warning'],
    [{ SendingEnabled: false }, 'problem'],
  ])('the account %j: %s', async (values, level) => {
    mockIdentity(true)
    mockAccount(values)
    expect(listLevels(await checkMail(buildInput(sender)))).toEqual(['ok', level])
  })

  it('continues if the account may not be read', async () => {
    mockIdentity(true)
    ses.on(GetAccountCommand).rejects(accessDenied)
    expect(listLevels(await checkMail(buildInput(sender)))).toEqual(['ok', 'warning'])
  })
})

describe('checkDomain', () => {
  const certificate = (account: string) =>
    `arn:aws:acm:us-east-1:${account}:certificate/12345678-1234-1234-1234-123456789012`

  const hostedZoneId = 'Z1D633PJN98FT9'
  const domainName = 'chat.example.org'
  const route53NameServers = ['ns-1.awsdns-01.org', 'ns-2.awsdns-02.com']
  const otherNameServers = ['ns1.example.net']

  it.each([
    [{}, otherNameServers, 'ok'],
    [{ domainName, certificateArn: certificate('123456789012') }, otherNameServers, 'ok'],
    [{ domainName, certificateArn: certificate('999999999999') }, [], 'problem'],
    [{ domainName, hostedZoneId }, route53NameServers, 'ok'],
    [{ domainName, hostedZoneId }, otherNameServers, 'warning'],
    // without a network, or before the domain exists
    [{ domainName, hostedZoneId }, [], 'ok'],
    [{ domainName, hostedZoneId, certificateArn: certificate('123456789012') }, otherNameServers, 'warning'],
  ])('%j with the name servers %j: %s', async (context, servers, level) => {
    expect((await checkDomain(buildInput(context), async () => servers)).level).toBe(level)
  })
})

describe('checkConcurrency', () => {
  const apiStack: DeployedStack = {
    name: 'juno-dev-api',
    region,
    stack: { StackName: 'juno-dev-api', StackStatus: 'CREATE_COMPLETE', CreationTime: new Date(0) },
  }
  const mockLimits = (ConcurrentExecutions: number, UnreservedConcurrentExecutions = ConcurrentExecutions) =>
    lambda
      .on(GetAccountSettingsCommand)
      .resolves({ AccountLimit: { ConcurrentExecutions, UnreservedConcurrentExecutions } })

  it.each([
    [1_000, undefined, 'ok'],
    [10, undefined, 'warning'],
    [49, undefined, 'warning'],
    [50, undefined, 'ok'],
    // 100 stay unreserved
    [1_000, '900', 'ok'],
    [1_000, '901', 'problem'],
    // a small account cannot reserve anything
    [10, '1', 'problem'],
    [100, '1', 'problem'],
  ])('a limit of %s with chatConcurrency=%s: %s', async (limit, chatConcurrency, level) => {
    mockLimits(limit)
    const finding = await checkConcurrency(buildInput(chatConcurrency ? { chatConcurrency } : {}))
    expect(finding?.level).toBe(level)
    expect(finding?.next?.includes('Concurrent executions (L-B99A9384): request 1') ?? false).toBe(
      level !== 'ok',
    )
  })

  it('only warns if the chat function may hold the reservation already', async () => {
    mockLimits(1_000, 500)
    expect((await checkConcurrency(buildInput({ chatConcurrency: '500' }))).level).toBe('problem')
    expect((await checkConcurrency(buildInput({ chatConcurrency: '500' }, [apiStack]))).level).toBe('warning')
  })
})

describe('checkUsers', () => {
  const mockLimit = (ConcurrentExecutions: number) =>
    lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: { ConcurrentExecutions } })
  const ses = { sesSender: 'hello@example.org' }

  it.each([
    [
      'defaults for nobody in particular',
      {},
      500,
      1_000,
      ['siteTokensPerDay=50000000', 'mails a day', 'costs $0.40'],
    ],
    ['a new account', { users: '30' }, undefined, 10, []],
    ['a new account and many people', { ...ses, users: '90' }, undefined, 3, ['3 replies at once']],
    ['defaults for so many', { ...ses, users: '500' }, undefined, 1_000, []],
    [
      'secrets that cost too much',
      { ...ses, users: '500', vault: 'secrets' },
      undefined,
      1_000,
      ['costs $0.40'],
    ],
  ])('%s', async (_, context, users, limit, expected) => {
    mockLimit(limit)
    const findings = await checkUsers({ ...buildInput(context), users })
    const warnings = findings.filter(({ level }) => level === 'warning').map(({ found }) => found)
    expect(warnings).toHaveLength(expected.length)
    for (const text of expected) expect(warnings.some((found) => found.includes(text))).toBe(true)
    expect(findings.some(({ level }) => level === 'ok')).toBe(
      !expected.some((text) => text !== 'costs $0.40'),
    )
  })

  it('checks nothing without a number', async () => {
    expect(await checkUsers(buildInput())).toMatchObject([
      { level: 'ok', found: expect.stringContaining('not known') },
    ])
  })
})
