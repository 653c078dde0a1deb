import { expect, it } from 'vitest'
import { checkConfig } from './local.ts'
import { checkNames } from './stacks.ts'
import type { DeployedStack, DoctorInput } from './stacks.ts'

const region = 'eu-west-1'

function buildInput(stacks: readonly DeployedStack[], context: Record<string, string> = {}): DoctorInput {
  const { config } = checkConfig(context)
  if (!config) throw new Error('the test gives a wrong configuration')
  return { config, region, account: '123456789012', stacks: Promise.resolve(stacks) }
}

const createStack = (name: string, tags: Record<string, string> = {}): DeployedStack => ({
  name,
  region: name.endsWith('-edge') ? 'us-east-1' : region,
  stack: {
    StackName: name,
    StackStatus: 'CREATE_COMPLETE',
    CreationTime: new Date(0),
    Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
  },
})

const ownTags = { brand: 'juno', stage: 'dev' }

it.each([
  ['no stack', []],
  ['its own stacks', [createStack('juno-dev-data', ownTags), createStack('juno-dev-edge', ownTags)]],
  ['a stack without tags', [createStack('juno-dev-data')]],
])('finds nothing wrong with %s', async (_, stacks) => {
  expect(await checkNames(buildInput(stacks))).toMatchObject([{ level: 'ok' }])
})

it('finds another brand and stage with the same name', async () => {
  // brand "Juno Dev" with stage "x1" has the prefix of brand "Juno" with stage "dev-x1"
  const otherStack = createStack('juno-dev-x1-data', { brand: 'juno-dev', stage: 'x1' })
  expect(await checkNames(buildInput([otherStack], { stage: 'dev-x1' }))).toEqual([
    {
      level: 'problem',
      found: expect.stringContaining('belongs to brand juno-dev, stage x1, not to juno, dev-x1'),
      next: 'Choose another stage or brandName.',
    },
  ])
  expect(await checkNames(buildInput([otherStack], { brandName: 'Juno Dev', stage: 'x1' }))).toMatchObject([
    { level: 'ok' },
  ])
})

it('finds an edge stack of the same stage in another region', async () => {
  const stacks = [createStack('juno-dev-edge', ownTags)]
  expect(await checkNames(buildInput(stacks))).toMatchObject([{ level: 'ok' }])
  const [finding] = await checkNames(buildInput(stacks, { waf: 'on' }))
  expect(finding).toMatchObject({
    level: 'problem',
    found: expect.stringContaining('belongs to a deployment in another region'),
    next: expect.stringContaining('delete the stack in the console of CloudFormation, us-east-1'),
  })
})
