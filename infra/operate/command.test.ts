import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'
import { commands } from './admin/commands.ts'
import { formatColumns, formatHelp, printLine } from './command.ts'

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
  expect(source).toMatch(new RegExp(`runCommand\\(\\s*'${name}'`))
  expect(formatHelp(name)).toMatch(/\nIt needs .+\.$/)
})

it('columns are as wide as their longest cell, also in a table of very many rows', () => {
  const rows = [['name', 'replies'], ...Array.from({ length: 200_000 }, () => ['ann', '7'])]
  const lines = formatColumns(rows, (column) => column === 1)
  expect([lines.length, ...lines.slice(0, 2)]).toEqual([200_001, 'name  replies', 'ann         7'])
})

it('the help of admin names all that it does', () => {
  expect(formatHelp('admin')).toContain(`npm run admin -- ${Object.keys(commands).join('|')} [`)
})

it('--help ends a command without an error', async () => {
  const command = ['infra/operate/policy.ts', '--help']
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root })
  expect(stdout).toBe(`${formatHelp('policy')}\n`)
})

it('a reader that has read enough, such as head, is no error', async () => {
  const child = spawn(process.execPath, ['infra/operate/policy.ts', '--help'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.destroy()
  expect(await once(child, 'exit')).toEqual([0, null])
})

it.each([
  ['Ann\tann@example.org\nBob', 'Ann\tann@example.org\nBob'],
  ['\u001b[2J\u009b2J\u0000\r', '\ufffd[2J\ufffd2J\ufffd\ufffd'],
  ['a\u202eb\u2028', 'a\ufffdb\ufffd'],
])('prints %j as %j', (text, printed) => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  printLine(text)
  expect(write.mock.calls).toEqual([[`${printed}\n`]])
  write.mockRestore()
})
