import { build, type Plugin } from 'esbuild'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { directImports } from './direct-imports.ts'
import { packageVersions } from './package-versions.ts'
import { pureSchemas } from './pure-schemas.ts'
import { unusedEndpointDiscovery } from './unused-endpoint-discovery.ts'
import { unusedOpenaiServices } from './unused-openai-services.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Modules with which the SDK would look for credentials elsewhere. A Lambda function finds them in its environment before it imports
 * one of these. They are a tenth of the chat function.
 */
const unusedCredentialProviders = [
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
]

/** The module of a thread or a process is named by its URL, which no bundler follows: in the bundle it is JavaScript, beside the rest. */
const addressWorkers = (source: string) =>
  source.replaceAll(/(new URL\('\.\/[\w-]+)\.ts', import\.meta\.url\)/g, "$1.mjs', import.meta.url)")

/**
 * Errors log the names of their classes, which minifying shortens. esbuild's own `keepNames` keeps those of all functions, and costs
 * time at each call that creates one.
 */
const nameClasses = (source: string) =>
  source.replaceAll(/^export (?:abstract )?class (\w+) extends \w+ \{/gm, "$& static name = '$1';")

/** Data that a module reads when it needs it is named by its URL, too. All chunks of a bundle are in one folder, and so is the data. */
async function copyData(source: string, from: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [, name = ''] of source.matchAll(/new URL\('\.\/([\w-]+\.zip)', import\.meta\.url\)/g))
    await copyFile(join(from, name), join(folder, name))
}

const productSources = (folder: string): Plugin => ({
  name: 'product-sources',
  setup(build) {
    // it reads its WebAssembly from beside itself: in the bundle from beside the module of its process
    build.onLoad({ filter: /[\\/]photon_rs\.js$/ }, async ({ path }) => {
      const data = 'photon_rs_bg.wasm'
      await mkdir(folder, { recursive: true })
      await copyFile(join(dirname(path), data), join(folder, data))
      const source = await readFile(path, 'utf8')
      return { contents: source.replaceAll('__dirname', "require('path').dirname(process.argv[1])") }
    })
    build.onLoad({ filter: /[\\/]functions[\\/].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      await copyData(source, dirname(path), folder)
      return { contents: nameClasses(addressWorkers(source)), loader: 'ts' }
    })
  },
})

/**
 * Bundles one function into a folder: `index.mjs` exports its handler, each worker is a module of its own, and what they import
 * dynamically or share is in chunks beside them, as is data that they read. The SDK goes in, so that what runs is what was tested.
 * @param entry the module that exports `handler`, relative to `functions/`
 * @param workers modules of threads and processes, relative to `functions/`
 * @param folder where the files go
 * @throws Error when the code does not bundle; esbuild has printed why
 */
export async function buildFunction(
  entry: string,
  workers: readonly string[],
  folder: string,
): Promise<void> {
  const module = (path: string) => join(repository, 'functions', path)
  await build({
    entryPoints: {
      index: module(entry),
      ...Object.fromEntries(workers.map((path) => [basename(path, '.ts'), module(path)])),
    },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    external: unusedCredentialProviders,
    tsconfig: join(repository, 'tsconfig.json'),
    // CommonJS code inside a bundle still finds a `require`
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [
      packageVersions,
      unusedEndpointDiscovery,
      unusedOpenaiServices,
      directImports,
      pureSchemas,
      productSources(folder),
    ],
  })
}

const [entry, folder, ...workers] = process.argv.slice(2)
if (import.meta.main && entry && folder) await buildFunction(entry, workers, folder)
