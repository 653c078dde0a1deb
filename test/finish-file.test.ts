import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

it('a file becomes one of the user in one place, which has documents read', () => {
  const files = globSync('functions/**/*.ts', { cwd: root }).filter((file) => !/\.test\.ts$/.test(file))
  const callers = files.filter((file) => /\.markReady\(/.test(readFileSync(join(root, file), 'utf8')))
  expect(callers).toEqual(['functions/files/finish-file.ts'])
})
