import { AssumeRoleCommand } from '@aws-sdk/client-sts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  bootstrap,
  fakeAccountId,
  fakeRegion,
  fakeStacks,
  uploads,
} from '../../../test/support/fake-stacks.ts'
import { rowFormat as currentFormat } from '#shared/row-format.ts'
import { productVersion } from '../../aws/product-version.ts'
import { readConfig } from '../../aws/config.ts'
import { contextNode } from '../stage.ts'
import type { Deployer } from './deployer.ts'
import { refuseNewerRows } from './plan-rollback.ts'
import { recordRelease } from './record-release.ts'
import { rollBack } from './roll-back.ts'

vi.mock('../../../functions/platform/clock.ts', async (importOriginal) => {
  const { skipPolls } = await import('../../../test/support/skip-polls.ts')
  return skipPolls(await importOriginal())
})

vi.mock('node:child_process', () => ({
  execFile: (
    _command: string,
    _args: string[],
    _options: object,
    done: (error: null, result: object) => void,
  ) => done(null, { stdout: 'abc123def456\n' }),
}))

const folder = mkdtempSync(join(tmpdir(), 'roll-back-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const stage = { config: readConfig(contextNode({})), region: fakeRegion, account: fakeAccountId }

let aws: ReturnType<typeof fakeStacks>
let now = 0
beforeEach(() => {
  vi.stubEnv('AWS_REGION', fakeRegion)
  vi.useFakeTimers({ toFake: ['Date'] })
  now = Date.parse('2026-11-20T09:00:00Z')
  vi.setSystemTime(now)
  aws = fakeStacks()
  aws.install()
})

const asset = (name: string) => ({
  S3Bucket: { 'Fn::Sub': 'cdk-hnb659fds-assets-${AWS::AccountId}-${AWS::Region}' },
  S3Key: `${name}.zip`,
})
const Parameters = { BootstrapVersion: { Type: 'AWS::SSM::Parameter::Value<String>' } }

/** The templates of a release. */
const release = (
  name: string,
  {
    rowFormat = 1,
    settings = {},
    data = {},
    api = {},
  }: { rowFormat?: number; settings?: object; data?: object; api?: object } = {},
) => ({
  data: { Parameters, Resources: {}, Outputs: { UploadsBucketName: { Value: uploads } }, ...data },
  auth: { Parameters, Resources: {} },
  api: {
    Parameters,
    Resources: { Chat: { Type: 'AWS::Lambda::Function', Properties: { Code: asset(`chat-${name}`) } } },
    Outputs: { RowFormat: { Value: String(rowFormat) }, Version: { Value: name } },
    ...api,
  },
  web: {
    Parameters,
    Resources: {
      Pages: {
        Type: 'Custom::CDKBucketDeployment',
        Properties: { SourceBucketNames: [asset('').S3Bucket], SourceObjectKeys: [`site-${name}.zip`] },
      },
    },
    Outputs: { DeployedSettings: { Value: JSON.stringify(settings) } },
  },
})

/** Deploys a release, an hour after the one before. */
async function deploy(templates: Readonly<Record<string, object>>, { isTested = true } = {}) {
  now += 3_600_000
  vi.setSystemTime(now)
  aws.deploy(templates, folder)
  if (isTested) await recordRelease(stage, folder)
}

async function back({
  yes = true,
  dryRun = false,
  ask,
  context = [],
  smoke = 0,
}: { yes?: boolean; dryRun?: boolean; ask?: Deployer['ask']; context?: string[]; smoke?: number } = {}) {
  const output: string[] = []
  const run = vi.fn<Deployer['run']>(async () => smoke)
  aws.updates.length = 0
  const code = await rollBack(context, {
    yes,
    dryRun,
    ask,
    run,
    stages: join(folder, 'no-stages'),
    print: (text) => output.push(text),
  })
  return {
    code,
    output: output.join(''),
    tests: run.mock.calls.map(([args]) => args.join(' ')),
    updated: aws.updates.map(({ StackName }) => StackName),
  }
}

const readVersion = () =>
  (
    JSON.parse(aws.stacks.get('juno-dev-api')?.template ?? '{}') as {
      Outputs: { Version: { Value: string } }
    }
  ).Outputs.Version.Value
const listRecords = () => [...aws.objects.keys()].filter((key) => key.startsWith(`${uploads}/releases/`))

describe('npm run deploy -- --back', () => {
  it('goes back to the release before, without install or build, and tests it', async () => {
    await deploy(release('a'))
    await deploy(release('b', { settings: { signUp: 'open' } }))
    const { code, output, tests, updated } = await back({ context: ['stage=dev'] })
    expect(code).toBe(0)
    // against the order of deployment; what is the same is not touched
    expect(updated).toEqual(['juno-dev-web', 'juno-dev-api'])
    expect(readVersion()).toBe('a')
    expect(tests).toEqual(['infra/operate/smoke.ts -c stage=dev'])
    expect(output).toContain(`Back to:  ${productVersion} (abc123def456) of 2026-11-20 10:00 UTC`)
    expect(output).toContain('Settings: signUp becomes its default again')
    expect(output).toMatch(
      new RegExp(`Back at ${productVersion} after \\d+ s.\\nThe smoke test passed after \\d+ s.`),
    )
  })

  it('updates with the template that the CDK stored, its parameters, and the role of the bootstrap', async () => {
    await deploy(release('a'))
    await deploy(release('b'))
    await back()
    const [input] = aws.updates
    expect(input).toMatchObject({
      StackName: 'juno-dev-web',
      Parameters: [{ ParameterKey: 'BootstrapVersion', UsePreviousValue: true }],
      Capabilities: ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM', 'CAPABILITY_AUTO_EXPAND'],
    })
    expect(input?.TemplateURL).toMatch(
      new RegExp(`^https://s3.${fakeRegion}.amazonaws.com/${bootstrap}/[0-9a-f]{64}.json$`),
    )
    const roles = aws.sts.commandCalls(AssumeRoleCommand).map(
      ({
        args: [
          {
            input: { RoleArn },
          },
        ],
      }) => RoleArn,
    )
    expect(new Set(roles)).toEqual(
      new Set([
        `arn:aws:iam::${fakeAccountId}:role/cdk-hnb659fds-deploy-role-${fakeAccountId}-${fakeRegion}`,
      ]),
    )
  })

  it('uses the credentials of the caller, as the CDK does, if the role may not be assumed', async () => {
    await deploy(release('a'))
    await deploy(release('b'))
    aws.sts.on(AssumeRoleCommand).rejects(Object.assign(new Error('no'), { name: 'AccessDenied' }))
    expect(await back()).toMatchObject({ code: 0, updated: ['juno-dev-web', 'juno-dev-api'] })
  })

  it('asks before it changes something, and changes nothing with --dry-run', async () => {
    await deploy(release('a'))
    await deploy(release('b'))
    const ask = vi.fn<NonNullable<Deployer['ask']>>(async () => false)
    expect(await back({ yes: false, ask })).toMatchObject({ code: 1, updated: [], tests: [] })
    expect(ask).toHaveBeenCalledWith('Go back?')
    const { output } = await back({ yes: false, dryRun: true })
    expect(output).toContain('Changes:  juno-dev-web, juno-dev-api')
    expect(readVersion()).toBe('b')
    expect(await back({ yes: false })).toMatchObject({
      code: 2,
      output: 'There is no terminal to ask on: give --yes to go back without questions.\n',
    })
  })

  it('has nothing to go back to after the first deployment', async () => {
    await deploy(release('a'))
    await expect(back()).rejects.toThrow(`no release before ${productVersion}`)
    expect(listRecords()).toHaveLength(1)
  })

  it('has nothing to go back to before a release has passed the smoke test', async () => {
    await deploy(release('a'), { isTested: false })
    await expect(back()).rejects.toThrow('no release is recorded')
  })

  it('returns from a release that failed the smoke test to the last one that passed it', async () => {
    await deploy(release('a'))
    await deploy(release('b'))
    await deploy(release('c'), { isTested: false })
    const { output } = await back()
    expect(output).toContain(
      'Deployed: c that is not recorded: npm run deploy records a release when its smoke test has passed',
    )
    expect(readVersion()).toBe('b')
  })

  it('goes one release further back when it is repeated', async () => {
    for (const name of ['a', 'b', 'c']) await deploy(release(name))
    await back()
    expect(readVersion()).toBe('b')
    await back()
    expect(readVersion()).toBe('a')
    await expect(back()).rejects.toThrow('nothing to go back to')
  })

  it('does not return to a release that somebody has gone back from', async () => {
    await deploy(release('a'))
    await deploy(release('b'))
    await back()
    await deploy(release('c'))
    await back()
    expect(readVersion()).toBe('a')
  })

  it('returns to a release that was deployed again after somebody had gone back from it', async () => {
    await deploy(release('a'))
    await deploy(release('b'))
    await back()
    await deploy(release('b'))
    await deploy(release('c'))
    await back()
    expect(readVersion()).toBe('b')
  })

  it('takes the last release for the newest, also if the clock of another operator was ahead', async () => {
    await deploy(release('a'))
    now += 86_400_000
    await deploy(release('b'))
    now -= 2 * 86_400_000
    await deploy(release('c'))
    await back()
    expect(readVersion()).toBe('b')
  })

  it('records a release once', async () => {
    await deploy(release('a'))
    await deploy(release('a'))
    expect(listRecords()).toHaveLength(1)
  })

  it('keeps the records of twenty releases', async () => {
    for (let at = 0; at < 22; at += 1) await deploy(release(`v${at}`))
    expect(listRecords()).toHaveLength(20)
    await back()
    expect(readVersion()).toBe('v20')
  })

  it('says which stacks are back when one fails, and goes on with the others when it is repeated', async () => {
    await deploy(release('a'))
    await deploy(release('b'))
    aws.failures.set('juno-dev-api', 'UPDATE_ROLLBACK_COMPLETE')
    const { code, output, tests } = await back({ context: ['stage=dev'] })
    expect([code, tests]).toEqual([1, []])
    expect(output).toContain('juno-dev-api is UPDATE_ROLLBACK_COMPLETE.')
    expect(output).toContain(
      'juno-dev-api: Chat (AWS::Lambda::Function) is UPDATE_FAILED.\n  The function is broken.',
    )
    expect(output).toContain(
      `At ${productVersion}: juno-dev-data, juno-dev-auth, juno-dev-web. Not at ${productVersion}: juno-dev-api.`,
    )
    expect(output).toContain('npm run deploy -- --back -c stage=dev goes on with these')
    expect(await back()).toMatchObject({ code: 0, updated: ['juno-dev-api'] })
    expect(readVersion()).toBe('a')
  })

  it('has the same target again if no stack could be updated', async () => {
    await deploy(release('z'))
    await deploy(release('a'))
    await deploy(release('b'))
    aws.failures.set('juno-dev-web', 'UPDATE_ROLLBACK_COMPLETE')
    expect(await back()).toMatchObject({ code: 1, updated: ['juno-dev-web'] })
    expect(readVersion()).toBe('b')
    expect(await back()).toMatchObject({ code: 0 })
    expect(readVersion()).toBe('a')
  })

  it('says so if the older release does not work either', async () => {
    await deploy(release('a'))
    await deploy(release('b'))
    const { code, output } = await back({ smoke: 1 })
    expect(code).toBe(1)
    expect(output).toContain('npm run deploy -- --back goes one release further back')
  })

  // https://github.com/aws/aws-cdk-cli/issues/823
  it('updates a stack whose last update was rolled back', async () => {
    await deploy(release('a'))
    await deploy(release('b'))
    const web = aws.stacks.get('juno-dev-web')
    if (web) web.status = 'UPDATE_ROLLBACK_COMPLETE'
    expect(await back()).toMatchObject({ code: 0 })
  })

  it.each([
    ['UPDATE_IN_PROGRESS', 'Somebody is changing it at this moment.'],
    ['UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', 'Somebody is changing it at this moment.'],
    ['UPDATE_ROLLBACK_IN_PROGRESS', 'Somebody is changing it at this moment.'],
    ['UPDATE_ROLLBACK_FAILED', 'npx cdk rollback'],
    ['ROLLBACK_FAILED', 'could not be deleted'],
    // https://github.com/cfn-sphere/cfn-sphere/issues/28
    ['ROLLBACK_COMPLETE', 'does not exist or was never complete'],
  ] as const)('changes nothing while a stack is %s', async (status, expected) => {
    await deploy(release('a'))
    await deploy(release('b'))
    const api = aws.stacks.get('juno-dev-api')
    if (api) api.status = status
    await expect(back()).rejects.toThrow(expected)
    expect(aws.updates).toEqual([])
  })

  // https://github.com/Nextdoor/kingpin/issues/298
  it('takes a stack in which CloudFormation finds nothing to change for done', async () => {
    await deploy(release('a'))
    await deploy(release('b'))
    aws.unchanged.add('juno-dev-web')
    expect(await back()).toMatchObject({ code: 0, updated: ['juno-dev-web', 'juno-dev-api'] })
  })

  // https://github.com/aws/aws-cdk-rfcs/pull/379
  it.each(['chat-a.zip', 'site-a.zip'])('changes nothing if %s is gone', async (name) => {
    await deploy(release('a'))
    await deploy(release('b'))
    aws.objects.delete(`${bootstrap}/${name}`)
    await expect(back()).rejects.toThrow(
      new RegExp(
        `no longer complete. Missing in S3: 1, .*${bootstrap}/${name}; .* Deploy it from its source: .*npm run deploy`,
      ),
    )
    expect(aws.updates).toEqual([])
  })

  it('changes nothing if a template is gone, or is another one', async () => {
    await deploy(release('a'))
    const key = [...aws.objects].find(
      ([, text]) => text.includes('chat-a.zip') && !text.includes('format'),
    )?.[0]
    await deploy(release('b'))
    aws.objects.set(key ?? '', JSON.stringify({ Resources: { Evil: { Type: 'AWS::IAM::Role' } } }))
    await expect(back()).rejects.toThrow('is not the template of')
    aws.objects.delete(key ?? '')
    await expect(back()).rejects.toThrow('(template of juno-dev-api)')
    expect(aws.updates).toEqual([])
  })

  // https://github.com/aws/aws-cdk/issues/7602
  it('changes the stack that imports a value before the stack that no longer exports it', async () => {
    const exported = { Shared: { Value: 'x', Export: { Name: 'juno-dev-data:Shared' } } }
    const data = { Outputs: { UploadsBucketName: { Value: uploads }, ...exported } }
    await deploy(release('a'))
    const b = release('b', { data })
    await deploy({
      ...b,
      api: {
        ...b.api,
        Resources: { Reader: { Type: 'X', Name: { 'Fn::ImportValue': 'juno-dev-data:Shared' } } },
      },
    })
    expect(await back()).toMatchObject({
      code: 0,
      updated: ['juno-dev-web', 'juno-dev-api', 'juno-dev-data'],
    })
  })

  it('changes the stack that exports a value again before the stack that imports it', async () => {
    const exported = { Shared: { Value: 'x', Export: { Name: 'juno-dev-data:Shared' } } }
    const data = { Outputs: { UploadsBucketName: { Value: uploads }, ...exported } }
    const a = release('a', { data })
    await deploy({
      ...a,
      api: {
        ...a.api,
        Resources: { Reader: { Type: 'X', Name: { 'Fn::ImportValue': 'juno-dev-data:Shared' } } },
      },
    })
    await deploy(release('b'))
    expect(await back()).toMatchObject({
      code: 0,
      updated: ['juno-dev-web', 'juno-dev-data', 'juno-dev-api'],
    })
  })

  // https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/814
  it('recognises a deployed template with characters outside of ASCII', async () => {
    const named = (name: string) => ({
      ...release(name),
      auth: { Parameters, Description: 'Café 請交月報 🤦' },
    })
    await deploy(named('a'))
    await deploy(named('b'))
    expect(await back()).toMatchObject({ code: 0, updated: ['juno-dev-web', 'juno-dev-api'] })
    expect(readVersion()).toBe('a')
  })

  // https://github.com/mapbox/cfn-config/issues/177
  it('leaves a secret parameter as it is instead of setting its mask, and sets others as they were', async () => {
    const withSecret = (name: string) => {
      const templates = release(name)
      return {
        ...templates,
        api: {
          ...templates.api,
          Parameters: { ...Parameters, Secret: { NoEcho: true }, Level: { Type: 'String' } },
        },
      }
    }
    const mask = () =>
      Object.assign(aws.stacks.get('juno-dev-api')?.parameters ?? {}, { Secret: '****', Level: 'low' })
    aws.deploy(withSecret('a'), folder)
    mask()
    await recordRelease(stage, folder)
    await deploy(withSecret('b'))
    await back()
    expect(aws.updates.find(({ StackName }) => StackName === 'juno-dev-api')?.Parameters).toContainEqual({
      ParameterKey: 'Secret',
      UsePreviousValue: true,
    })
    expect(aws.updates.find(({ StackName }) => StackName === 'juno-dev-api')?.Parameters).toContainEqual({
      ParameterKey: 'Level',
      ParameterValue: 'low',
    })
  })

  it('names data that the older release does not have', async () => {
    await deploy(release('a'))
    const b = release('b')
    const Resources = {
      Index: { Type: 'AWS::DynamoDB::Table' },
      Archive: { Type: 'AWS::S3::Bucket', DeletionPolicy: 'RetainExceptOnCreate' },
    }
    await deploy({ ...b, data: { ...b.data, Resources } })
    const { output } = await back({ dryRun: true })
    expect(output).toContain('Removes:  Index (AWS::DynamoDB::Table), with all that is in it')
    expect(output).toContain('Leaves:   Archive (AWS::S3::Bucket)')
    expect(output).not.toContain('Stays:')
  })

  it('refuses to go back over rows in a newer format', async () => {
    await deploy(release('a'))
    await deploy(release('b', { rowFormat: currentFormat + 1 }), { isTested: false })
    await expect(back()).rejects.toThrow(
      `Rows were written in format ${currentFormat + 1}, and ${productVersion}`,
    )
    expect(aws.updates).toEqual([])
  })

  it.each([[[2]], [[1, 2]], [[Number.NaN]]])('refuses formats %j', (written) => {
    const target = { version: '1.0.0', deployedAt: '2026-11-20T10:00:00.000Z', rowFormat: 1 }
    expect(() => refuseNewerRows(target, written)).toThrow('it may misread them')
    expect(() => refuseNewerRows({ ...target, rowFormat: 3 }, [1, 2])).not.toThrow()
  })

  describe('with a record', () => {
    const change = (
      edit: (record: Record<string, unknown> & { stacks: Record<string, unknown>[] }) => void,
    ) => {
      const key = listRecords().toSorted()[0] ?? ''
      const record = JSON.parse(aws.objects.get(key) ?? '') as Parameters<typeof edit>[0]
      edit(record)
      aws.objects.set(key, JSON.stringify(record))
    }

    it.each<[string, Parameters<typeof change>[0]]>([
      ['of a later version of the command', (record) => (record['format'] = 2)],
      ['with a template elsewhere', ({ stacks: [one] }) => one && (one['templateKey'] = '../../evil/x.json')],
      ['with a stack of another stage', ({ stacks: [one] }) => one && (one['name'] = 'juno-live-data')],
      ['with a stack in another region', ({ stacks: [one] }) => one && (one['region'] = 'us-west-2')],
      ['with a stack twice', ({ stacks }) => stacks.push({ ...stacks[0] })],
      ['with commands for the terminal', (record) => (record['version'] = '1.0.0\u001B[2J')],
      ['without stacks', ({ stacks }) => stacks.splice(0)],
    ])('%s, changes nothing and names it', async (_, edit) => {
      await deploy(release('a'))
      await deploy(release('b'))
      change(edit)
      await expect(back()).rejects.toThrow(`s3://${uploads}/releases/2026-11-20T10:00:00.000Z.json`)
      expect(aws.updates).toEqual([])
    })

    it('that is no JSON, changes nothing', async () => {
      await deploy(release('a'))
      await deploy(release('b'))
      aws.objects.set(listRecords().toSorted()[0] ?? '', '<html>')
      await expect(back()).rejects.toThrow('cannot use the record')
    })

    it.each<[string, Parameters<typeof change>[0]]>([
      ['another account', (record) => (record['account'] = '999999999999')],
      ['stacks that were deleted since', ({ stacks }) => stacks.forEach((one) => (one['id'] = 'arn:other'))],
    ])('of %s, has nothing to go back to', async (_, edit) => {
      await deploy(release('a'))
      await deploy(release('b'))
      change(edit)
      await expect(back()).rejects.toThrow('nothing to go back to')
    })

    it('keeps fields that it does not know when it withdraws a release', async () => {
      await deploy(release('a'))
      await deploy(release('b'))
      const key = listRecords().toSorted()[1] ?? ''
      aws.objects.set(
        key,
        JSON.stringify({ ...(JSON.parse(aws.objects.get(key) ?? '') as object), later: true }),
      )
      await back()
      expect(JSON.parse(aws.objects.get(key) ?? '')).toMatchObject({
        later: true,
        withdrawnAt: expect.stringContaining('2026-11-20'),
      })
    })
  })

  it('says that the stage is not deployed in this region', async () => {
    await expect(back()).rejects.toThrow('juno-dev is not deployed in this account and region (eu-west-1).')
  })

  it('does not record what somebody else has deployed meanwhile', async () => {
    aws.deploy(release('a'), folder)
    const api = aws.stacks.get('juno-dev-api')
    if (api) api.template = JSON.stringify(release('other').api)
    await expect(recordRelease(stage, folder)).rejects.toThrow('juno-dev-api has another template than')
  })
})
