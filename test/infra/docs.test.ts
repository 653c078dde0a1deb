import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { configKeys } from '../../infra/aws/config.ts'
import { variants, ownCertificate } from './configurations.ts'
import { synthesise, type StackName } from './synthesised.ts'

/** The instructions must use the stacks' own names: a copied command has to work. */
const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
const operations = read('operations.md')
const deploy = read('deploy.md')

const app = synthesise()
const full = synthesise(ownCertificate)
const stackNames = Object.keys(full.templates) as StackName[]
const outputs = stackNames.flatMap((stack) => Object.keys(full.outputs(stack)))
const resources = stackNames.flatMap((stack) =>
  Object.keys(full.templates[stack].toJSON()['Resources'] as object).map((id) =>
    id.replace(/[0-9A-F]{8}$/, ''),
  ),
)

const all = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
]

it('names the stacks correctly', () => {
  const called = Object.values(full.stacks).map(({ stackName }) => stackName)
  for (const text of [operations, deploy])
    for (const name of all(text, /\b(juno-dev-[a-z]+)\b/g)) expect(called).toContain(name)
})

it.each([
  ['operations.md', operations],
  ['deploy.md', deploy],
])('%s names existing outputs and resources', (_, text) => {
  const names = all(text, /<([A-Z][A-Za-z]+)>/g).filter((name) => name !== 'BackupArn')
  expect(names).not.toEqual([])
  for (const name of names) expect([...outputs, ...resources]).toContain(name)
  for (const name of all(text, /[Oo]utput `([A-Za-z]+)`/g)) expect(outputs).toContain(name)
})

it('names the stack of each output', () => {
  const rows = [...operations.matchAll(/^\| `<(\w+)>` +\| output of the (\w+) stack/gm)]
  expect(rows.length).toBeGreaterThan(4)
  for (const [, name, stack] of rows) expect(Object.keys(app.outputs(stack as StackName))).toContain(name)
})

it('asks for values by their configuration keys', () => {
  const named = all(operations, /<(\w+(?:SecretName|ClientId))>/g)
  expect(named).not.toEqual([])
  for (const name of named) expect(configKeys).toContain(name)
})

describe('Destroy everything', () => {
  const listRetained = (synthesised: typeof app) =>
    (Object.keys(synthesised.templates) as StackName[]).flatMap((stack) =>
      Object.entries(
        synthesised.templates[stack].toJSON()['Resources'] as Record<string, { DeletionPolicy?: string }>,
      )
        .filter(([, { DeletionPolicy }]) => DeletionPolicy?.startsWith('Retain'))
        .map(([id]) => id.replace(/[0-9A-F]{8}$/, '')),
    )
  const accountWide = ['ApiCloudWatchRole', 'ApiAccount']

  it('names everything that outlives the stacks', () => {
    expect(listRetained(app)).toEqual(['Table', 'Uploads', 'SealingKey', 'UserPool', ...accountWide])
    expect(operations).toContain('leaves the table, the uploads, the user pool and the sealing key')
    expect(operations).toContain('the role `ApiCloudWatchRole`')
  })

  it('leaves nothing of a stage without keepData except the account’s own resources', () => {
    expect(listRetained(synthesise(variants['data deleted with the stacks']))).toEqual(accountWide)
  })

  it('finds submitted credentials by the names that functions give them', () => {
    const { Variables } = app.named('api', 'AWS::Lambda::Function', 'Integrations').Properties[
      'Environment'
    ] as { Variables: Record<string, string> }
    expect(operations).toContain(`Key=name,Values=${Variables['VAULT_PREFIX']}/`)
  })
})

it('leads from an empty account to the first reply in at most ten commands, which exist', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>
  }
  const [, guide = ''] =
    /## From an empty account to the first reply[\s\S]*?```sh\n([\s\S]*?)```/.exec(deploy) ?? []
  const commands = guide.trim().split('\n')
  expect(commands.length).toBeGreaterThan(4)
  expect(commands.length).toBeLessThanOrEqual(10)
  for (const name of all(guide, /npm run ([\w:-]+)/g)) expect(Object.keys(scripts)).toContain(name)
  for (const key of all(guide, /-c (\w+)=/g)) expect(configKeys).toContain(key)
})
