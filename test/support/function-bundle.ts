import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The modules that a function loads when it starts: `index.mjs` and what it imports statically, without what it imports when needed. */
export function modulesAtStart(folder: string, file = 'index.mjs', loaded = new Set<string>()): Set<string> {
  loaded.add(file)
  const code = readFileSync(join(folder, file), 'utf8')
  for (const [, next = ''] of code.matchAll(/(?:from|import) ?"\.\/([\w.-]+\.mjs)"/g))
    if (!loaded.has(next)) modulesAtStart(folder, next, loaded)
  return loaded
}

/** All modules of a function, without their source maps. */
export const modulesIn = (folder: string) => readdirSync(folder).filter((file) => file.endsWith('.mjs'))

/** @returns bytes */
export const sizeOfModules = (folder: string, files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
