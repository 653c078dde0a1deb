import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../infra/aws/config.ts'
import { contextNode, loadContext } from '../../infra/operate/stage.ts'
import {
  buildCloudFormationPolicies,
  buildDeployPolicy,
  buildOperatePolicy,
} from '../../infra/operate/policy/policies.ts'
import {
  actionsByType,
  listActions as parseActions,
  maxPolicyCharacters,
  type PolicyDocument,
} from '../../infra/operate/policy/statements.ts'
import { configurations } from './configurations.ts'
import { readActions } from './sdk-actions.ts'
import { synthesise, type Resource, type StackName } from './synthesised.ts'

const buildConfig = (context: Record<string, unknown>) =>
  readConfig(contextNode({ ...loadContext([]), ...context }))

const listActions = (...policies: PolicyDocument[]) =>
  [...new Set(policies.flatMap(({ Statement }) => Statement.flatMap(({ Action }) => Action)))].toSorted()

const listStatements = (policies: readonly PolicyDocument[]) => policies.flatMap(({ Statement }) => Statement)

describe('the policies of CloudFormation’s role (DEC-187)', () => {
  it('cover every type of resource in the templates, and no other', () => {
    const types = Object.values(configurations).flatMap((context) => {
      const { templates } = synthesise(context)
      return Object.values(templates).flatMap((template) =>
        Object.values(template.toJSON()['Resources'] as Record<string, Resource>).map(({ Type }) => Type),
      )
    })
    expect(Object.keys(actionsByType).toSorted()).toEqual([...new Set(types)].toSorted())
  })

  it.each(Object.entries(actionsByType))('can create and delete a resource of type %s', (type, actions) => {
    const names = Object.values(actions).flatMap(parseActions)
    expect(names.length).toBeGreaterThan(0)
    // a custom resource is a function call
    const call = type.startsWith('Custom::') ? '|InvokeFunction' : ''
    // one action creates, changes and deletes: https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsbudgetservice.html
    const modify = type === 'AWS::Budgets::Budget' ? '|ModifyBudget' : ''
    // two resources that exist are connected: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_AssociateRouteTable.html
    const associate = type.endsWith('Association') ? '|AssociateRouteTable' : ''
    const canCall = (verbs: string) =>
      names.some((name) => new RegExp(`:(${verbs}${call}${modify}${associate})`).test(name))
    expect(canCall('Create|Put|Publish|Request|Add|Set|Subscribe|Change|POST|PATCH|PUT')).toBe(true)
    expect(canCall('Delete|Remove|Unsubscribe|Schedule|Set|Change|DELETE|PATCH')).toBe(true)
  })

  it.each(Object.entries(configurations))('fit into a role’s managed policies: %s', (_, context) => {
    const policies = buildCloudFormationPolicies(buildConfig(context))
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html: ten policies, each with a maximum length
    expect(policies.length).toBeLessThanOrEqual(10)
    for (const policy of policies)
      expect(JSON.stringify(policy).length).toBeLessThanOrEqual(maxPolicyCharacters)
  })

  it('use wildcards in read actions only, and apply to every resource only if IAM has no resource for the action', () => {
    const policies = buildCloudFormationPolicies(buildConfig(configurations.full))
    for (const action of listActions(...policies).filter((name) => name.includes('*')))
      expect(action).toMatch(/^(dynamodb:Describe|lambda:Get|s3:GetBucket)\*$/)
    const unboundedStatements = listStatements(policies).filter(({ Resource }) =>
      [Resource].flat().includes('*'),
    )
    expect(unboundedStatements.flatMap(({ Action }) => Action)).toEqual([
      'acm:RequestCertificate',
      'cognito-idp:CreateUserPool',
      'cognito-idp:DescribeUserPoolDomain',
      'ec2:DescribeAvailabilityZones',
      'ec2:DescribeRouteTables',
      'ec2:DescribeSecurityGroups',
      'ec2:DescribeSubnets',
      'ec2:DescribeVpcAttribute',
      'ec2:DescribeVpcEndpoints',
      'ec2:DescribeVpcs',
      'kms:CreateKey',
      'lambda:CreateEventSourceMapping',
      'logs:DescribeIndexPolicies',
      'logs:DescribeLogGroups',
      'logs:DescribeResourcePolicies',
      'route53:CreateHealthCheck',
      'secretsmanager:GetRandomPassword',
    ])
  })

  it('reach roles, functions, tables and buckets of the brand only', () => {
    const resources = listStatements(
      buildCloudFormationPolicies(buildConfig({ brandName: 'Café Ada' })),
    ).flatMap(({ Resource }) => Resource)
    for (const [service, pattern] of [
      [
        'iam',
        /^arn:aws:iam::\*:role\/(cafe-ada-\*|aws-service-role\/email\.cognito-idp\.amazonaws\.com\/\*)$/,
      ],
      ['lambda', /^arn:aws:lambda:\*:\*:(event-source-mapping:\*|function:cafe-ada-\*|layer:\*)$/],
      ['dynamodb', /^arn:aws:dynamodb:\*:\*:table\/cafe-ada-\*$/],
      ['s3', /^arn:aws:s3:::(cafe-ada-\*(\/\*)?|cdk-\*\/\*)$/],
    ] as const) {
      const arns = resources.filter((arn) => arn.startsWith(`arn:aws:${service}:`))
      expect(arns.length).toBeGreaterThan(0)
      for (const arn of arns) expect(arn).toMatch(pattern)
    }
  })

  it('cover the templates’ explicit names, which all start with brand and stage', () => {
    const { templates } = synthesise(configurations.full)
    const explicitNames = (Object.keys(templates) as StackName[]).flatMap((stack) =>
      Object.values(templates[stack].toJSON()['Resources'] as Record<string, Resource>).flatMap(
        ({ Type, Properties }) =>
          Object.entries(Properties ?? {})
            .filter(([key]) => /^(Table|Bucket|Function|Role|Queue|Topic|LogGroup|Alarm)Name$/.test(key))
            .filter(([, value]) => typeof value === 'string')
            .map(([, value]) => `${Type} ${String(value)}`),
      ),
    )
    expect(explicitNames.length).toBeGreaterThan(5)
    for (const name of explicitNames) expect(name).toMatch(/ juno-live-/)
  })
})

const scripts = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>
  }
).scripts
/** The commands that call AWS, by their npm names. */
const commands = Object.entries(scripts).flatMap(([name, script]) => {
  const [, entry] = /^node (infra\/operate\/[\w-]+\.ts)$/.exec(script) ?? []
  return entry === undefined ? [] : [[name, entry] as const]
})
const deployCommands = new Set(['doctor', 'deploy', 'smoke'])

const listCalls = async (isWanted: (name: string) => boolean) => {
  const wanted = commands.filter(([name]) => isWanted(name))
  const actions = await Promise.all(wanted.map(([, entry]) => readActions(entry)))
  return [...new Set(actions.flat())].toSorted()
}

describe('a permissions boundary', () => {
  const context = { permissionsBoundary: 'team/boundary' }

  it('is set on every role', () => {
    const { templates } = synthesise(context)
    const roles = Object.values(templates).flatMap((template) =>
      Object.values(template.findResources('AWS::IAM::Role') as Record<string, Resource>),
    )
    expect(roles.length).toBeGreaterThan(20)
    for (const { Properties } of roles)
      expect(JSON.stringify(Properties?.['PermissionsBoundary'])).toContain(':policy/team/boundary')
  })

  it('is a condition of whatever gives a role permissions', () => {
    const statements = listStatements(buildCloudFormationPolicies(buildConfig(context)))
    const granting = statements.filter(({ Action }) =>
      [Action].flat().some((action) => /^iam:(CreateRole|Attach|Detach|Put|DeleteRole[A-Z])/.test(action)),
    )
    expect(granting).toMatchObject([
      {
        Action: [
          'iam:AttachRolePolicy',
          'iam:CreateRole',
          'iam:DeleteRolePolicy',
          'iam:DetachRolePolicy',
          'iam:PutRolePermissionsBoundary',
          'iam:PutRolePolicy',
        ],
        Resource: ['arn:aws:iam::*:role/juno-*'],
        Condition: { ArnLike: { 'iam:PermissionsBoundary': 'arn:aws:iam::*:policy/team/boundary' } },
      },
    ])
    const without = listActions(...buildCloudFormationPolicies(buildConfig({})))
    expect(listActions(...buildCloudFormationPolicies(buildConfig(context)))).toEqual(
      [...without, 'iam:PutRolePermissionsBoundary'].toSorted(),
    )
  })
})

describe('the policies of operators (DEC-187)', () => {
  const readOwner = (tags: unknown) =>
    Object.fromEntries((tags as { Key: string; Value: string }[]).map(({ Key, Value }) => [Key, Value]))

  it('reach the pools and keys of one brand and stage only, by the tags that these have', () => {
    const config = buildConfig({ brandName: 'Café Ada', stage: 'test' })
    const policies = [buildDeployPolicy(config), buildOperatePolicy(config)]
    const own = { StringEquals: { 'aws:ResourceTag/brand': 'cafe-ada', 'aws:ResourceTag/stage': 'test' } }
    const generated = listStatements(policies).filter(({ Resource }) =>
      [Resource].flat().some((arn) => /:userpool\/\*|:secret:(SealingKey|ModelKey)\*/.test(arn)),
    )
    expect(generated).toHaveLength(4)
    for (const { Condition } of generated) expect(Condition).toEqual(own)
    const { templates } = synthesise({ brandName: 'Café Ada', stage: 'test' })
    const pools = Object.values(
      templates.auth.findResources('AWS::Cognito::UserPool') as Record<string, Resource>,
    )
    const secrets = Object.values(
      templates.data.findResources('AWS::SecretsManager::Secret') as Record<string, Resource>,
    )
    expect([pools.length, secrets.length]).toEqual([1, 2])
    for (const { Properties } of pools)
      expect(Properties?.['UserPoolTags']).toMatchObject({ brand: 'cafe-ada', stage: 'test' })
    for (const { Properties } of secrets)
      expect(readOwner(Properties?.['Tags'])).toMatchObject({ brand: 'cafe-ada', stage: 'test' })
  })

  it('reach nothing of another stage, whatever the two are called', () => {
    const stages = ['dev', 'prod', 'prod-eu', 'prod-eu-2', 'pro', 'prod-a', 'a--b', 'ab', 'ab-dat', 'live']
    const matches = (pattern: string, arn: string) =>
      new RegExp(
        `^${pattern
          .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
          .replaceAll('*', '.*')
          .replaceAll('?', '.')}$`,
      ).test(arn)
    // what CloudFormation makes of stack and logical id: buckets in lower case
    const { templates } = synthesise({})
    const resources = (Object.keys(templates) as StackName[]).flatMap((stack) =>
      Object.entries(templates[stack].toJSON()['Resources'] as Record<string, Resource>).map(
        ([id, { Type }]) => ({ stack, id, Type }),
      ),
    )
    const listArns = (prefix: string) => [
      ...resources.flatMap(({ stack, id, Type }) => {
        const name = `${prefix}-${stack}-${id}-1A2B3C`
        if (Type === 'AWS::S3::Bucket')
          return [`arn:aws:s3:::${name.toLowerCase()}`, `arn:aws:s3:::${name.toLowerCase()}/users/x`]
        if (Type === 'AWS::DynamoDB::Table' || Type === 'AWS::DynamoDB::GlobalTable')
          return [`arn:aws:dynamodb:eu-west-1:1:table/${name}`]
        return Type === 'AWS::Lambda::Function' ? [`arn:aws:lambda:eu-west-1:1:function:${name}`] : []
      }),
      ...Object.keys(templates).map(
        (stack) => `arn:aws:cloudformation:eu-west-1:1:stack/${prefix}-${stack}/0a1b`,
      ),
      `arn:aws:dynamodb:eu-west-1:1:table/${prefix}-restored`,
      `arn:aws:secretsmanager:eu-west-1:1:secret:${prefix}/vault/a/b/c-abcdef`,
    ]
    const reached = stages.flatMap((stage) => {
      const config = buildConfig({ stage })
      const patterns = listStatements([buildDeployPolicy(config), buildOperatePolicy(config)])
        .flatMap(({ Resource }) => Resource)
        .filter((arn) => arn.includes(config.prefix))
      expect(
        listArns(config.prefix)
          .filter((arn) => !patterns.some((one) => matches(one, arn)))
          .filter((arn) => !/function:.*-(auth|web|data|edge)-|s3:::.*-(web|auth|api|edge)-/.test(arn)),
      ).toEqual([])
      return stages
        .filter((other) => other !== stage)
        .flatMap((other) => listArns(buildConfig({ stage: other }).prefix))
        .filter((arn) => patterns.some((one) => matches(one, arn)))
    })
    expect(reached).toEqual([])
    for (const stage of ['prod-data', 'data', 'api-eu', 'a-restored'])
      expect(() => buildConfig({ stage })).toThrow('which name parts of a stage')
  })

  it('name the stage wherever IAM knows a name', () => {
    const config = buildConfig({ stage: 'test' })
    const resources = listStatements([buildDeployPolicy(config), buildOperatePolicy(config)]).flatMap(
      ({ Resource }) => Resource,
    )
    for (const arn of resources.filter((one) => one.includes('juno')))
      expect(arn).toMatch(/[:/]juno-test[-/]/)
  })

  it('allow what doctor, deploy and smoke call, and the bootstrap roles', async () => {
    const actions = listActions(buildDeployPolicy(buildConfig({})))
    expect(actions).toEqual(await listCalls((name) => deployCommands.has(name)))
    expect(actions).toContain('sts:AssumeRole')
  })

  it('allow the deploying operator to reach the records of releases and nothing else of the bucket', () => {
    const statements = listStatements([buildDeployPolicy(buildConfig({}))]).filter(({ Action }) =>
      [Action].flat().some((action) => action.startsWith('s3:')),
    )
    expect(statements).toMatchObject([
      {
        Action: 's3:ListBucket',
        Resource: 'arn:aws:s3:::juno-dev-data-*',
        Condition: { StringLike: { 's3:prefix': 'releases/*' } },
      },
      {
        Action: ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'],
        Resource: 'arn:aws:s3:::juno-dev-data-*/releases/*',
      },
    ])
  })

  it('allow the deploying operator to read the rows of groups and format only, and to write the latter', () => {
    const statements = buildDeployPolicy(buildConfig({})).Statement.flatMap(({ Action, Condition }) =>
      [Action].flat().some((action) => /^dynamodb:(?!ListTables)/.test(action))
        ? [{ Action, Condition }]
        : [],
    )
    const only = (keys: readonly string[]) => ({
      'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': keys },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    })
    expect(statements).toEqual([
      { Action: 'dynamodb:GetItem', Condition: only(['GROUPS', 'FORMAT']) },
      { Action: 'dynamodb:PutItem', Condition: only(['FORMAT']) },
    ])
  })

  it('allow what the other commands call', async () => {
    expect(listActions(buildOperatePolicy(buildConfig({})))).toEqual(
      // what DynamoDB writes with into a restored table
      [...(await listCalls((name) => !deployCommands.has(name))), 'dynamodb:BatchWriteItem'].toSorted(),
    )
  })

  it('allow calling the model on Bedrock, which no SDK command does', () => {
    const actions = listActions(buildDeployPolicy(buildConfig(configurations.bedrock)))
    expect(actions.filter((action) => action.startsWith('bedrock:'))).toEqual([
      'bedrock:InvokeModel',
      'bedrock:InvokeModelWithResponseStream',
    ])
  })

  it('name the secrets in the configuration', () => {
    const resources = buildDeployPolicy(buildConfig(configurations.full)).Statement.flatMap(
      ({ Resource }) => Resource,
    )
    const secretArn = (name: string) => `arn:aws:secretsmanager:*:*:secret:${name}-??????`
    for (const name of ['team/google', 'team/okta', 'team/github', 'team/apps', 'team/model'])
      expect(resources).toContain(secretArn(name))
    // CloudFormation reads the identity providers' secrets, and no others by name
    const readStatement = listStatements(buildCloudFormationPolicies(buildConfig(configurations.full))).find(
      ({ Action }) => [Action].flat().includes('secretsmanager:GetSecretValue'),
    )
    expect(readStatement?.Resource).toEqual([secretArn('team/google'), secretArn('team/okta')])
  })
})
