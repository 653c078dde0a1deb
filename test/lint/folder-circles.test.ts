import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../web/src')
const importPattern = /(?:\bfrom|\bimport\(?)\s*'(\.{1,2}\/[^']+)'/g

/** What a file or folder imports that stands beside it. */
type Imports = Map<string, Set<string>>

/** The imports between neighbours, by the folder in which both are. */
function collectImports(sources: ReadonlyMap<string, string>): Map<string, Imports> {
  const levels = new Map<string, Imports>()
  for (const [file, source] of sources)
    for (const [, target = ''] of source.matchAll(importPattern)) {
      const from = file.split('/')
      const to = posix.join(posix.dirname(file), target).split('/')
      const depth = from.findIndex((part, index) => part !== to[index])
      const [importer, imported] = [from[depth], to[depth]]
      if (importer === undefined || imported === undefined) continue
      const level = from.slice(0, depth).join('/')
      const imports = levels.get(level) ?? new Map<string, Set<string>>()
      levels.set(level, imports.set(importer, (imports.get(importer) ?? new Set()).add(imported)))
    }
  return levels
}

/** Folders that import something which leads back to them, directly or over their neighbours. */
function findCircles(sources: ReadonlyMap<string, string>): string[] {
  const circles = [...collectImports(sources)].flatMap(([level, imports]) => {
    const reach = (from: string, found = new Set<string>()): ReadonlySet<string> => {
      for (const next of imports.get(from) ?? []) if (!found.has(next)) reach(next, found.add(next))
      return found
    }
    return [...imports.keys()]
      .filter((name) => !name.includes('.') && reach(name).has(name))
      .map((name) => posix.join(level, name))
  })
  return circles.toSorted()
}

it('imports of the page lead from one folder to another and never back', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test(ing)?\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(500)
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  expect(findCircles(sources)).toEqual([])
})

it('finds circles of folders, also over others and over files beside them', () => {
  const sources = new Map([
    ['chat/page.ts', "import { a } from './composer/a.ts'"],
    ['chat/composer/a.ts', "export const load = () => import('../state/b.ts')"],
    ['chat/state/b.ts', "import type { C } from '../upload/c.ts'"],
    ['chat/upload/c.ts', "export { a } from '../composer/a.ts'"],
    ['chat/markdown/d.ts', "import '../../lib/e.ts'"],
    ['chat/other.ts', "import { f } from './export/f.ts'"],
    ['chat/export/f.ts', "import {\n  g,\n} from '../other.ts'"],
    ['lib/e.ts', "import { h } from './h.ts'"],
    ['lib/h.ts', "import { e } from './e.ts'"],
  ])
  expect(findCircles(sources)).toEqual(['chat/composer', 'chat/export', 'chat/state', 'chat/upload'])
})
