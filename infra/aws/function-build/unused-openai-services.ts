import type { Plugin } from 'esbuild'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The services of the openai package that the functions call, with their modules. */
const usedServices: Readonly<Record<string, string>> = {
  Images: 'images',
}

/** Modules that combine the client's services; each of them imports every service. */
const clientModule = /[\\/]openai[\\/](client|azure|bedrock)\.mjs$/
/** Runners, parsed streams and their JSON parser: the functions read plain streams. Workload identities: they send a key. */
const unusedHelpers =
  /\/(lib\/(ChatCompletion\w*Runner|ChatCompletionStream|parser|ResponsesParser|responses\/ResponseStream)|(auth\/)?(x509-)?workload-identity-auth)\.mjs$/
const helperUser = /[\\/]openai[\\/](client\.mjs|internal[\\/].*|resources[\\/](chat|responses)[\\/].*)$/

/** Names that a module imports from modules whose path matches, in their original spelling. */
function importedNames(source: string, matchesPath: (from: string) => boolean): string[] {
  return [...source.matchAll(/import \{([^}]*)\} from ["']([^"']*)["']/g)]
    .filter(([, , from = '']) => matchesPath(from))
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim().split(/\s/)[0] ?? ''))
    .filter(Boolean)
}

/** Replaces a service: it can be created, as the client does, and throws as soon as it is used. */
const serviceStub = `const unused = (name) => class {
  constructor() {
    return new Proxy({}, { get() { throw new Error('openai: ' + name + ' is not part of this bundle') } })
  }
}`

/** Replaces a helper: it cannot be used, and nothing is an instance of it. */
const helperStub = (name: string) =>
  name.startsWith('is')
    ? `export const ${name} = () => false`
    : `export class ${name} { constructor() { throw new Error('openai: ${name} is not part of this bundle') } }`

/**
 * Leaves out of a bundle what the openai package brings for services that the functions do not call. Its client creates all of
 * them in one constructor, so no bundler can leave them out; they are two thirds of the package.
 */
export const unusedOpenaiServices: Plugin = {
  name: 'unused-openai-services',
  setup(build) {
    build.onResolve({ filter: /^\.\/resources\// }, ({ importer, resolveDir }) =>
      clientModule.test(importer) ? { path: resolveDir, namespace: 'openai-services' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'openai-services' }, ({ path }) => {
      const client = readFileSync(join(path, 'client.mjs'), 'utf8')
      const names = new Set([
        ...[...client.matchAll(/\bAPI\.(\w+)/g)].map(([, name = '']) => name),
        ...importedNames(client, (from) => from.startsWith('./resources/')),
      ])
      for (const name of Object.keys(usedServices))
        if (!names.has(name)) throw new Error(`openai has no service ${name}`)
      const exports = [...names].map((name) => {
        const module = usedServices[name]
        return module
          ? `export { ${name} } from ${JSON.stringify(`./resources/${module}.mjs`)}`
          : `export const ${name} = unused(${JSON.stringify(name)})`
      })
      return { contents: [serviceStub, ...exports].join('\n'), resolveDir: path }
    })

    build.onResolve({ filter: unusedHelpers }, ({ importer, path }) =>
      helperUser.test(importer)
        ? { path, namespace: 'openai-helpers', pluginData: importer as unknown }
        : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'openai-helpers' }, ({ path, pluginData }) => {
      const names = importedNames(readFileSync(String(pluginData), 'utf8'), (from) => from === path)
      return { contents: names.map(helperStub).join('\n') }
    })
  },
}
