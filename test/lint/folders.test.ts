import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const options = { cwd: root, encoding: 'utf8' } as const

it('docs/architecture.md has a row for every folder that holds code', () => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const explainedFolders = new Set(page.match(/^\| `[\w/-]+\/` /gm)?.map((cell) => cell.slice(3, -3)))
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], options)
  const folders = new Set(
    files
      .split('\n')
      .filter((file) =>
        /^(shared|functions|web\/(src|public)|infra|test|docs)\/.*\.(tsx?|js|css|md)$/.test(file),
      )
      .map((file) => dirname(file)),
  )
  // web/src has two files of its own, which start the page
  folders.delete('web/src')
  // commands of developers, each named in package.json
  folders.delete('test')
  expect([...folders].filter((folder) => !explainedFolders.has(folder)).toSorted()).toEqual([])
  expect(folders.size).toBeGreaterThan(50)
})
