import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { commands } from './admin/commands.ts'
import { formatHelp } from './arguments.ts'

const root = join(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

// the options of `bootstrap` are the CDK's own
const names = Object.entries(scripts).flatMap(([name, script]) =>
  script.includes('infra/operate/') && name !== 'bootstrap' ? [name as Parameters<typeof formatHelp>[0]] : [],
)

it.each(names)('%s says in its help what it needs, and knows the options that it names', (name) => {
  const source = readFileSync(join(root, `infra/operate/${name}.ts`), 'utf8')
  expect(source).toContain(`readArguments('${name}'`)
  expect(formatHelp(name)).toMatch(/\nIt needs .+\.$/)
})

it('the help of admin names all that it does', () => {
  expect(formatHelp('admin')).toContain(`npm run admin -- ${Object.keys(commands).join('|')} [`)
})

it('--help ends a command without an error', async () => {
  const command = ['infra/operate/policy.ts', '--help']
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root })
  expect(stdout).toBe(`${formatHelp('policy')}\n`)
})
