import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { childEnvironment } from '../support/child-environment.ts'
import { configurations, otherValues } from './configurations.ts'
import {
  createSite,
  cdkJson,
  contextWith,
  synthesise,
  temporaryFolder,
  type Resource,
  type StackName,
  type Synthesised,
} from './synthesised.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const listStackNames = (context?: Record<string, unknown>) =>
  synthesise(context)
    .assembly.stacks.map(({ stackName }) => stackName)
    .toSorted()

/** Types whose names are unique only within their gateway, user pool or role: two stages may use the same. */
const typesWithLocalNames = new Set([
  'AWS::ApiGateway::Stage',
  'AWS::Cognito::UserPoolIdentityProvider',
  'AWS::IAM::Policy',
  'AWS::Lambda::Alias',
])

/** Explicit names in the templates, instead of CloudFormation's generated ones. A reference does not count. */
function listExplicitNames({ templates, resources }: Synthesised): string[] {
  return (Object.keys(templates) as StackName[]).flatMap((stack) => {
    const all = (templates[stack].toJSON() as { Resources: Record<string, Resource> }).Resources
    const types = new Set(Object.values(all).map(({ Type }) => Type))
    const otherTypes = [...types].filter((type) => !typesWithLocalNames.has(type))
    return otherTypes.flatMap((type) =>
      resources(stack, type)
        .flatMap(({ Properties }) => [Properties, ...Object.values(Properties)])
        .flatMap((properties) => Object.entries(properties as Record<string, unknown>))
        .filter(
          ([key, value]) =>
            // which service of AWS an endpoint leads to, and which configuration of AWS a deployment has
            key !== 'ServiceName' &&
            key !== 'DeploymentConfigName' &&
            /(^Domain|(?<!Metric|Attribute)Name)$/.test(key) &&
            !/^\w+\//.test(String(value)),
        )
        .map(([, value]) => `${type} ${String(value)}`),
    )
  })
}

describe('app', () => {
  it('INFRA-01 has four stacks whose names end in data, auth, api and web, without any context', () => {
    expect(listStackNames()).toEqual(['juno-dev-api', 'juno-dev-auth', 'juno-dev-data', 'juno-dev-web'])
  })

  it('INFRA-01 stages and brands exist side by side: no two resources share a name', () => {
    const live = synthesise({ stage: 'live', brandName: 'Café Ada' })
    expect(live.assembly.stacks.map(({ stackName }) => stackName).toSorted()).toEqual([
      'cafe-ada-live-api',
      'cafe-ada-live-auth',
      'cafe-ada-live-data',
      'cafe-ada-live-web',
    ])
    for (const { tags } of live.assembly.stacks) expect(tags).toEqual({ brand: 'cafe-ada', stage: 'live' })
    // without the address, which operators set per stage
    const { stage: _stage, domainName: _name, hostedZoneId: _zone, ...sharedContext } = configurations.full
    const [firstNames, secondNames] = ['first', 'second'].map((stage) =>
      listExplicitNames(synthesise({ ...sharedContext, outsideCheck: 'off', stage })),
    )
    expect(firstNames).toContain('AWS::Cognito::UserPoolDomain juno-first-<AccountId>')
    expect(firstNames).toContain('AWS::ApiGateway::RestApi juno-first')
    expect(firstNames?.length).toBeGreaterThan(5)
    expect(firstNames?.filter((name) => secondNames?.includes(name))).toEqual([])
  })

  it('INFRA-01 the same stage exists in two regions: names that are unique per account contain the region', () => {
    const { resources } = synthesise(configurations.full)
    const globalNames = [
      ...resources('web', 'AWS::CloudFront::ResponseHeadersPolicy').map(
        ({ Properties }) => (Properties['ResponseHeadersPolicyConfig'] as { Name: string }).Name,
      ),
      ...resources('web', 'AWS::CloudFront::OriginAccessControl').map(
        ({ Properties }) => (Properties['OriginAccessControlConfig'] as { Name: string }).Name,
      ),
      ...resources('web', 'AWS::CloudFront::Function').map(({ Properties }) => String(Properties['Name'])),
      ...resources('api', 'AWS::CloudWatch::Dashboard').map(({ Properties }) =>
        String(Properties['DashboardName']),
      ),
    ]
    expect(globalNames.length).toBeGreaterThanOrEqual(6)
    for (const name of globalNames) expect(name).toContain('<Region>')
    // IAM is global, too: roles and policies have no explicit names
    const resourcesWithNames = ['data', 'auth', 'api', 'web'].flatMap((stack) =>
      ['AWS::IAM::Role', 'AWS::IAM::ManagedPolicy', 'AWS::S3::Bucket'].flatMap((type) =>
        resources(stack as StackName, type).filter(({ Properties }) =>
          ['RoleName', 'ManagedPolicyName', 'BucketName'].some((name) => name in Properties),
        ),
      ),
    )
    expect(resourcesWithNames.map(({ id }) => id)).toEqual([])
  })

  it('INFRA-01 the account-wide setting for gateway logs outlives the stage that created it', () => {
    const { Resources } = synthesise().templates.api.toJSON() as { Resources: Record<string, Resource> }
    const retained = Object.values(Resources).filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain')
    expect(retained.map(({ Type }) => Type).toSorted()).toEqual([
      'AWS::ApiGateway::Account',
      'AWS::IAM::Role',
    ])
  })

  it('INFRA-01 the longest brand and stage still give valid names', () => {
    const { resources } = synthesise({
      ...configurations.full,
      stage: 'sixteen-letters1',
      brandName: 'An assistant with a name of forty letter',
    })
    // the CDK does not check that a Cognito prefix has at most 63 characters
    const prefixes = resources('auth', 'AWS::Cognito::UserPoolDomain').map(({ Properties }) =>
      String(Properties['Domain']).replace('<AccountId>', '1'.repeat(12)),
    )
    expect(prefixes).toEqual([expect.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/)])
    const accessControlNames = resources('web', 'AWS::CloudFront::OriginAccessControl').map(
      ({ Properties }) =>
        (Properties['OriginAccessControlConfig'] as { Name: string }).Name.replace(
          '<Region>',
          'ap-southeast-1',
        ),
    )
    expect(accessControlNames).toEqual([expect.stringMatching(/^.{1,64}$/)])
  })

  it('INFRA-01 everything carries the tags of brand and stage', () => {
    const { assembly, resources } = synthesise(otherValues)
    for (const stack of assembly.stacks) expect(stack.tags).toEqual({ brand: 'acme', stage: 'dev' })
    const functionTags = resources('api', 'AWS::Lambda::Function').map(({ Properties }) => Properties['Tags'])
    expect(functionTags).toHaveLength(22)
    for (const tags of functionTags)
      expect(tags).toEqual([
        { Key: 'brand', Value: 'acme' },
        { Key: 'stage', Value: 'dev' },
      ])
  })

  it('INFRA-01 its stacks depend on each other in one direction only', () => {
    const { stacks, dependencies } = synthesise(configurations.full)
    const dependenciesByStack = Object.fromEntries(
      (Object.keys(stacks) as StackName[]).map((stack) => [
        stack,
        dependencies(stack)
          .map((name) => name.replace('juno-live-', ''))
          .toSorted(),
      ]),
    )
    expect(dependenciesByStack).toEqual({
      data: [],
      auth: ['data'],
      api: ['auth', 'data'],
      web: ['api', 'auth', 'data', 'edge'],
      edge: [],
    })
  })

  it('INFRA-01 outputs what the operator needs to know afterwards', () => {
    const { outputs } = synthesise()
    expect(Object.keys(outputs('data'))).toEqual([
      'TableName',
      'UploadsBucketName',
      'ModelKeySecret',
      'SealingKeySecret',
    ])
    expect(Object.keys(outputs('auth'))).toEqual(['UserPoolId'])
    expect(outputs('web')['SiteUrl']).toBe('https://web/Distribution.DomainName')
  })

  it('INFRA-01 an invalid context stops the synthesis with an explanation', () => {
    expect(() => synthesise({ googleClientId: 'id' })).toThrow(
      'Context googleSecretName is missing: googleClientId is set, and the two belong together.',
    )
  })
})

describe('cdk.json', () => {
  it('INFRA-17 is at the top level, beside the product’s folders', () => {
    const top = new Set(readdirSync(root))
    const required = [
      'infra',
      'functions',
      'web',
      'shared',
      'test',
      'cdk.json',
      'package.json',
      'tsconfig.json',
    ]
    expect([...required, 'README.md'].filter((name) => !top.has(name))).toEqual([])
  })

  it('INFRA-17 runs the app as it is and builds the site first', () => {
    expect(cdkJson.app).toBe('node infra/aws/app.ts')
    expect(cdkJson.build).toBe('npm run build')
  })

  it('sets every flag as the installed CDK recommends, except that references between stacks stay strong', () => {
    const library = createRequire(import.meta.url).resolve('aws-cdk-lib/recommended-feature-flags.json')
    const recommended = JSON.parse(readFileSync(library, 'utf8')) as Record<string, unknown>
    expect(Object.keys(recommended).length).toBeGreaterThan(50)
    expect(cdkJson.context).toMatchObject({
      ...recommended,
      '@aws-cdk/core:defaultCrossStackReferences': 'strong',
    })
  })

  it('INFRA-01 the app runs in plain Node, without a network, credentials or Docker', async () => {
    const script = `
      const { Socket } = await import('node:net')
      Socket.prototype.connect = () => { throw new Error('there is no network') }
      const { App } = await import('aws-cdk-lib')
      const { addStacks } = await import('./infra/aws/stacks.ts')
      const app = new App()
      addStacks(app, { siteFolder: process.env.SITE })
      process.stdout.write(JSON.stringify(app.synth().stacks.map(({ stackName }) => stackName).toSorted()))`
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script],
      {
        cwd: root,
        env: {
          ...childEnvironment,
          HOME: temporaryFolder(),
          PATH: dirname(process.execPath),
          CDK_CONTEXT_JSON: JSON.stringify(contextWith(configurations.full)),
          CDK_OUTDIR: temporaryFolder(),
          SITE: createSite(),
        },
      },
    )
    expect(JSON.parse(stdout)).toEqual(listStackNames(configurations.full))
    // the CDK prints what CloudFormation would reject; that check takes seconds, so `synthesise` does without it
    expect(stderr).toBe('')
  })

  it('INFRA-01 an invalid context ends the app with its explanation and nothing else', () => {
    const { status, stderr } = spawnSync(process.execPath, ['infra/aws/app.ts'], {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        CDK_CONTEXT_JSON: JSON.stringify({ googleClientId: 'id' }),
        CDK_OUTDIR: temporaryFolder(),
      },
    })
    expect(status).toBe(1)
    expect(stderr).toBe(
      'Context googleSecretName is missing: googleClientId is set, and the two belong together. (npx cdk … -c key=value; docs/deploy.md lists the keys)\n',
    )
  })
})

describe.each(Object.entries(configurations))('the templates: %s', (_, context) => {
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
  const limits = { bytes: 1_000_000, resources: 500, outputs: 200, parameters: 200 }
  /** The share of a limit that may be used: the rest is for later additions. */
  const maxShare = 0.8

  it('INFRA-01 stay well below CloudFormation’s limits', () => {
    const { assembly } = synthesise(context)
    expect(assembly.stacks.length).toBeGreaterThan(3)
    for (const { stackName, templateFullPath } of assembly.stacks) {
      const template = JSON.parse(readFileSync(templateFullPath, 'utf8')) as Record<
        string,
        object | undefined
      >
      const count = (section: string) => Object.keys(template[section] ?? {}).length
      expect([stackName, statSync(templateFullPath).size < limits.bytes * maxShare]).toEqual([
        stackName,
        true,
      ])
      expect([stackName, count('Resources') < limits.resources * maxShare]).toEqual([stackName, true])
      expect([stackName, count('Outputs') < limits.outputs * maxShare]).toEqual([stackName, true])
      expect([stackName, count('Parameters') < limits.parameters * maxShare]).toEqual([stackName, true])
    }
  })
})
