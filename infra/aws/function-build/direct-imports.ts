import type { Plugin, PluginBuild } from 'esbuild'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const fromCore = /\bimport \{([^}]+)\} from "(@(?:aws-sdk|smithy)\/core(?:\/[\w-]+)?)"/g
const reExport = /\bexport \{([^}]+)\} from "([^"]+)"/g

/** @returns of names in braces, as `name` or `name as other`, each with its other name */
const splitNames = (names: string) =>
  names
    .split(',')
    .filter((name) => name.trim() !== '')
    .map((name): [name: string, as: string] => {
      const [first = '', other = first] = name.trim().split(' as ')
      return [first, other]
    })

/** Where a module defines what a list exports. */
interface Definition {
  module: string
  name: string
}
type List = ReadonlyMap<string, Definition>

async function resolveList(build: PluginBuild, list: string, resolveDir: string): Promise<string> {
  return (await build.resolve(list, { kind: 'import-statement', resolveDir })).path
}

async function readList(build: PluginBuild, path: string): Promise<List> {
  const definitions = new Map<string, Definition>()
  for (const [, names = '', from = ''] of (await readFile(path, 'utf8')).matchAll(reExport)) {
    const next = from.startsWith('.')
      ? undefined
      : await readList(build, await resolveList(build, from, dirname(path)))
    const module = next ? from : join(dirname(path), from)
    for (const [name, as] of splitNames(names)) definitions.set(as, next?.get(name) ?? { module, name })
  }
  return definitions
}

/**
 * Imports what the SDK takes from the lists of its core from the modules that define it. The bundler follows a list to all its modules,
 * so that the chat function would load at its start what only S3 needs: XML, HTTP bindings, checksums.
 */
export const directImports: Plugin = {
  name: 'direct-imports',
  setup(build) {
    const lists = new Map<string, Promise<List>>()
    build.onLoad({ filter: /[\\/]@(?:aws-sdk|smithy)[\\/].*[\\/]dist-es[\\/].*\.js$/ }, async ({ path }) => {
      let contents = await readFile(path, 'utf8')
      for (const [statement, names = '', from = ''] of contents.matchAll(fromCore)) {
        const listPath = await resolveList(build, from, dirname(path))
        const list = lists.get(listPath) ?? readList(build, listPath)
        lists.set(listPath, list)
        const definitions = await list
        const imports = splitNames(names).map(([name, as]) => {
          const definition = definitions.get(name) ?? { module: from, name }
          return `import { ${definition.name} as ${as} } from ${JSON.stringify(definition.module)}`
        })
        contents = contents.replace(statement, () => imports.join('; '))
      }
      return { contents, loader: 'js' }
    })
  },
}
