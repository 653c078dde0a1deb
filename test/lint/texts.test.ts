import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

/** An unused text would still be translated. `knip` does not see which exports of `import * as texts` are used. */

const root = join(import.meta.dirname, '../..')
const isTexts = (file: string) => /(?:^|[-/])texts\.tsx?$/.test(file)

const sources = new Map(
  globSync('web/src/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
)
const modules = [...sources.keys()].filter(isTexts)

/** The members of a module that other modules read. */
function collectUsedNames(module: string): Set<string> {
  const usedNames = new Set<string>()
  for (const [file, source] of sources)
    for (const [, alias, path] of source.matchAll(/^import \* as (\w+) from '(\.[^']+)'$/gm))
      if (alias !== undefined && path !== undefined && normalize(join(dirname(file), path)) === module)
        for (const [, name] of source.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g')))
          usedNames.add(name ?? '')
  return usedNames
}

it('finds the texts modules', () => {
  expect(modules.length).toBeGreaterThan(20)
})

it.each(modules)('every text of %s is used', (module) => {
  const usedNames = collectUsedNames(module)
  const names = [...(sources.get(module) ?? '').matchAll(/^export (?:const|function) (\w+)/gm)].map(
    ([, name]) => name ?? '',
  )
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !usedNames.has(name))).toEqual([])
})
