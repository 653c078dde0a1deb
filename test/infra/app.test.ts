import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { builtSite, cdkJson, contextWith, synthesise, temporaryFolder } from './synthesised.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const names = (context?: Record<string, unknown>) =>
  synthesise(context)
    .assembly.stacks.map(({ stackName }) => stackName)
    .toSorted()

describe('app', () => {
  it('INFRA-01 has four stacks whose names end in data, auth, api and web, without any context', () => {
    expect(names()).toEqual(['juno-dev-api', 'juno-dev-auth', 'juno-dev-data', 'juno-dev-web'])
  })

  it('INFRA-01 stages and brands stand side by side: nothing has the same name twice', () => {
    const dev = synthesise()
    const live = synthesise({ stage: 'live', brandName: 'Café Ada' })
    expect(live.assembly.stacks.map(({ stackName }) => stackName).toSorted()).toEqual([
      'cafe-ada-live-api',
      'cafe-ada-live-auth',
      'cafe-ada-live-data',
      'cafe-ada-live-web',
    ])
    const given = ({ resources }: typeof dev) =>
      [
        resources('web', 'AWS::CloudFront::Function').map(({ Properties }) => Properties['Name']),
        resources('web', 'AWS::CloudFront::ResponseHeadersPolicy').map(
          ({ Properties }) => (Properties['ResponseHeadersPolicyConfig'] as { Name: string }).Name,
        ),
        resources('web', 'AWS::CloudFront::OriginAccessControl').map(
          ({ Properties }) => (Properties['OriginAccessControlConfig'] as { Name: string }).Name,
        ),
        resources('api', 'AWS::ApiGateway::RestApi').map(({ Properties }) => Properties['Name']),
      ].flat()
    expect(given(dev)).toHaveLength(4)
    expect(given(live).filter((name) => given(dev).includes(name))).toEqual([])
  })

  it('INFRA-01 everything carries the tags of brand and stage', () => {
    const { assembly, resources } = synthesise({ stage: 'live', assistantName: 'Ada' })
    for (const stack of assembly.stacks) expect(stack.tags).toEqual({ brand: 'ada', stage: 'live' })
    const tagged = resources('api', 'AWS::Lambda::Function').map(({ Properties }) => Properties['Tags'])
    expect(tagged).toHaveLength(13)
    for (const tags of tagged)
      expect(tags).toEqual([
        { Key: 'brand', Value: 'ada' },
        { Key: 'stage', Value: 'live' },
      ])
  })

  it('INFRA-01 its stacks need one another in one direction only', () => {
    const { stacks } = synthesise({
      sesSender: 'hello@example.org',
      googleClientId: 'id',
      googleSecretName: 'g',
    })
    const needs = Object.fromEntries(
      Object.entries(stacks).map(([name, stack]) => [
        name,
        stack.dependencies.map(({ stackName }) => stackName.split('-').at(-1) ?? '').toSorted(),
      ]),
    )
    expect(needs).toEqual({ data: [], auth: ['data'], api: ['auth', 'data'], web: ['api', 'auth', 'data'] })
  })

  it('INFRA-01 tells the operator what has to be known afterwards', () => {
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

  it('INFRA-01 a wrong context stops the synthesis with a sentence', () => {
    expect(() => synthesise({ googleClientId: 'id' })).toThrow(
      'Context googleSecretName is missing: googleClientId is set, and the two belong together.',
    )
  })
})

describe('cdk.json', () => {
  it('INFRA-17 runs the app as it is and builds the site first', () => {
    expect(cdkJson.app).toBe('node infra/aws/app.ts')
    expect(cdkJson.build).toBe('npm run build')
  })

  it('sets every flag that the installed library recommends, but for strong references between stacks', () => {
    const library = createRequire(import.meta.url).resolve('aws-cdk-lib/recommended-feature-flags.json')
    const recommended = JSON.parse(readFileSync(library, 'utf8')) as Record<string, unknown>
    expect(Object.keys(recommended).length).toBeGreaterThan(50)
    expect(cdkJson.context).toMatchObject({
      ...recommended,
      '@aws-cdk/core:defaultCrossStackReferences': 'strong',
    })
  })

  it('INFRA-01 the app runs in plain Node, which only strips the types', async () => {
    const script = `
      const { App } = await import('aws-cdk-lib')
      const { addStacks } = await import('./infra/aws/stacks.ts')
      const app = new App({ context: JSON.parse(process.env.CONTEXT), outdir: process.env.OUT })
      addStacks(app, { siteFolder: process.env.SITE })
      process.stdout.write(app.synth().stacks.map(({ stackName }) => stackName).join())`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      env: {
        ...process.env,
        CONTEXT: JSON.stringify(contextWith({})),
        SITE: builtSite(),
        OUT: temporaryFolder(),
      },
    })
    expect(stdout.split(',').toSorted()).toEqual(names())
  })

  it('INFRA-01 a wrong context ends the app with its sentence and nothing else', () => {
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
