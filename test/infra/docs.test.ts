import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { configKeys } from '../../infra/aws/config.ts'
import { variants, ownCertificateWithWaf } from './configurations.ts'
import { synthesise, type StackName } from './synthesised.ts'

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>
}
const operations = read('operations.md')
const deploy = read('deploy.md')

const app = synthesise()
// the instructions use the stacks' own names, so that a copied command works
const withAllStacks = synthesise(ownCertificateWithWaf)
const stackNames = Object.keys(withAllStacks.templates) as StackName[]
const outputs = stackNames.flatMap((stack) => Object.keys(withAllStacks.outputs(stack)))
const resources = stackNames.flatMap((stack) =>
  Object.keys(withAllStacks.templates[stack].toJSON()['Resources'] as object).map((id) =>
    id.replace(/[0-9A-F]{8}$/, ''),
  ),
)

const findAll = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
]

it('names the stacks correctly', () => {
  const existing = Object.values(withAllStacks.stacks).map(({ stackName }) => stackName)
  for (const text of [operations, deploy])
    for (const name of findAll(text, /\b(juno-dev-[a-z]+)\b/g)) expect(existing).toContain(name)
})

it.each([
  ['operations.md', operations],
  ['deploy.md', deploy],
])('%s names existing outputs and resources', (_, text) => {
  const names = findAll(text, /<([A-Z][A-Za-z]+)>/g)
  expect(names).not.toEqual([])
  for (const name of names) expect([...outputs, ...resources]).toContain(name)
  for (const name of findAll(text, /[Oo]utput `([A-Za-z]+)`/g)) expect(outputs).toContain(name)
})

it('needs the AWS CLI for no command, and names only commands that exist', () => {
  const guides = [
    'operations.md',
    'deploy.md',
    'admin-guide.md',
    'local.md',
    'security.md',
    'models.md',
    'tools.md',
  ]
  for (const text of guides.map(read)) {
    // signing in is a matter of the profile
    expect(
      findAll(text, /\baws ([a-z0-9-]+ [a-z0-9-]+)\b/g).filter((command) => !/^sso login$/.test(command)),
    ).toEqual([])
    for (const name of findAll(text, /npm run (\w[\w:-]*)/g)) expect(Object.keys(scripts)).toContain(name)
  }
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
    expect(operations).toContain('stops at the auth and data stacks, which are protected')
    expect(operations).toContain('the role `ApiCloudWatchRole`')
  })

  it('cannot destroy the stacks with people’s data, unless they were deployed without keepData', () => {
    const listProtected = (synthesised: typeof app) =>
      Object.entries(synthesised.stacks).flatMap(([name, { terminationProtection }]) =>
        terminationProtection ? [name] : [],
      )
    expect(listProtected(app)).toEqual(['data', 'auth'])
    expect(listProtected(synthesise(variants['data deleted with the stacks']))).toEqual([])
  })

  it('leaves nothing of a stage without keepData except the account’s own resources', () => {
    expect(listRetained(synthesise(variants['data deleted with the stacks']))).toEqual(accountWide)
  })

  it('finds submitted credentials by the names that functions give them', () => {
    const { Variables } = app.named('api', 'AWS::Lambda::Function', 'Integrations').Properties[
      'Environment'
    ] as { Variables: Record<string, string> }
    expect(operations).toContain(`below \`${Variables['VAULT_PREFIX']}/\``)
  })
})

it('leads from an empty account to the first reply in at most ten commands, which exist', () => {
  const [, guide = ''] =
    /## From an empty account to the first reply[\s\S]*?```sh\n([\s\S]*?)```/.exec(deploy) ?? []
  const commands = guide.trim().split('\n')
  expect(commands.length).toBeGreaterThan(4)
  expect(commands.length).toBeLessThanOrEqual(10)
  for (const name of findAll(guide, /npm run ([\w:-]+)/g)) expect(Object.keys(scripts)).toContain(name)
  for (const key of findAll(guide, /-c (\w+)=/g)) expect(configKeys).toContain(key)
})
