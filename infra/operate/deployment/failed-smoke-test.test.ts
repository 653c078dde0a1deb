import { ListTablesCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeRegion, fakeStacks, uploads } from '../../../test/support/fake-stacks.ts'
import { mockClient } from '../../../test/support/mock-client.ts'
import { deployProduct } from './deploy-product.ts'
import { productVersion } from '../../aws/product-version.ts'
import type { Deployer } from './deployer.ts'

vi.mock('../../../functions/platform/clock.ts', async (importOriginal) => {
  const { skipPolls } = await import('../../../test/support/skip-polls.ts')
  return skipPolls(await importOriginal())
})

const assembly = mkdtempSync(join(tmpdir(), 'failed-smoke-test-'))
afterAll(() => rmSync(assembly, { recursive: true, force: true }))

let aws: ReturnType<typeof fakeStacks>
beforeEach(() => {
  vi.stubEnv('AWS_REGION', fakeRegion)
  aws = fakeStacks()
  aws.install()
  mockClient(SSMClient)
    .on(GetParameterCommand)
    .resolves({ Parameter: { Value: '33' } })
  mockClient(DynamoDBClient).on(ListTablesCommand).resolves({ TableNames: [] })
  mockClient(LambdaClient)
    .on(GetAccountSettingsCommand)
    .resolves({ AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 } })
  mockClient(SecretsManagerClient)
    .on(DescribeSecretCommand)
    .resolves({ VersionIdsToStages: { v1: ['AWSPREVIOUS'], v2: ['AWSCURRENT'] } })
})

const release = (version: string) => ({
  data: {
    Outputs: {
      UploadsBucketName: { Value: uploads },
      ModelKeySecret: { Value: 'arn:key' },
      SiteUrl: { Value: 'https://d111.cloudfront.net' },
    },
  },
  auth: { Resources: {} },
  api: { Outputs: { Version: { Value: version } } },
  web: { Outputs: { DeployedSettings: { Value: '{}' } } },
})

/** @param smoke exit codes of the smoke tests */
async function deploy(
  version: string,
  { smoke = [0], yes = true, ask }: { smoke?: number[]; yes?: boolean; ask?: Deployer['ask'] } = {},
) {
  const output: string[] = []
  const codes = [...smoke]
  const code = await deployProduct(['stage=dev', 'brandName=Juno'], {
    yes,
    ask,
    assembly,
    stages: join(assembly, 'no-stages'),
    print: (text) => output.push(text),
    run: async ([program = '']) => {
      if (program.includes('smoke')) return codes.shift() ?? 0
      aws.deploy(release(version), assembly)
      return 0
    },
  })
  return { code, output: output.join('') }
}

const readVersion = () =>
  /"Version":\{"Value":"(\w+)"/.exec(aws.stacks.get('juno-dev-api')?.template ?? '')?.[1]
const command = 'npm run deploy -- --back -c stage=dev -c brandName=Juno\n'

describe('npm run deploy, when the smoke test fails', () => {
  it('asks whether to go back, and goes back', async () => {
    await deploy('a')
    const ask = vi.fn<NonNullable<Deployer['ask']>>(async () => true)
    const { code, output } = await deploy('b', { smoke: [1, 0], yes: false, ask })
    expect(ask).toHaveBeenLastCalledWith('Go back?')
    expect(readVersion()).toBe('a')
    expect(output).toMatch(
      new RegExp(
        `Deployed: b that is not recorded.*\\nBack to: {2}${productVersion} .*\\nChanges: {2}juno-dev-api`,
      ),
    )
    expect(output).toContain('The smoke test passed after')
    // the deployment has failed all the same
    expect(code).toBe(1)
  })

  it('names the command if the operator does not want to', async () => {
    await deploy('a')
    const ask = async (question: string) => question !== 'Go back?'
    const { code, output } = await deploy('b', { smoke: [1], yes: false, ask })
    expect([code, readVersion()]).toEqual([1, 'b'])
    expect(output).toContain(command)
  })

  it('names the command and asks nothing with --yes', async () => {
    await deploy('a')
    const ask = vi.fn<NonNullable<Deployer['ask']>>(async () => true)
    const { code, output } = await deploy('b', { smoke: [1], ask })
    expect([code, readVersion()]).toEqual([1, 'b'])
    expect(output).toMatch(new RegExp(`→ Back to ${productVersion} .* UTC: ${command}`))
    expect(ask).not.toHaveBeenCalled()
  })

  it('offers nothing after the first deployment', async () => {
    const { code, output } = await deploy('a', { smoke: [1] })
    expect(code).toBe(1)
    expect(output).toContain('There is nothing to go back to: no release is recorded')
    expect(output).not.toContain('--back')
  })

  it('does not blame a release that has passed the test before', async () => {
    await deploy('a')
    await deploy('b')
    const { output } = await deploy('b', { smoke: [1] })
    expect(output).toContain('which passed this test when it was deployed: going back may not help.')
    expect(output).not.toContain('--back')
  })

  it('says so if the release could not be recorded', async () => {
    const { code, output } = await deploy('a', { smoke: [0] })
    expect([code, output.includes('could not be recorded')]).toEqual([0, false])
    aws.stacks.delete('juno-dev-data')
    rmSync(join(assembly, 'manifest.json'))
    aws.deploy = () => {}
    const second = await deploy('b')
    expect(second.code).toBe(0)
    expect(second.output).toContain(
      'npm run deploy -- --back will not find this release, which could not be recorded',
    )
  })
})
