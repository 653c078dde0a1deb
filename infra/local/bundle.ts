import type { Plugin } from 'esbuild'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const repository = join(import.meta.dirname, '../..')
const cache = join(repository, 'node_modules/.cache/product')
/** a product that runs may still load modules of its bundle */
const keptMs = 86_400_000

/** Keeps `import.meta.url` and `import.meta.dirname` as in the sources: modules find their threads, processes and files there. */
const sourceAddresses: Plugin = {
  name: 'source-addresses',
  setup(build) {
    build.onLoad({ filter: /[\\/](?:infra|functions)[\\/].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      if (!source.includes('import.meta.')) return undefined
      return {
        contents: source
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
        loader: 'ts',
      }
    })
  },
}

/**
 * Bundles what `npm start` runs: a process finds and reads some files instead of more than a thousand. It is not minified: names of
 * functions and errors stay.
 * @param folder gets `product.mjs` and its chunks
 * @param preloads modules that are loaded before the product, from the repository's root
 * @throws Error when the code does not bundle; esbuild has printed why
 */
export async function bundleProduct(folder: string, preloads: readonly string[] = []): Promise<void> {
  const { build } = await import('esbuild')
  await build({
    stdin: {
      contents: [...preloads, 'infra/local/start.ts'].map((path) => `import './${path}'`).join('\n'),
      resolveDir: repository,
    },
    outdir: folder,
    entryNames: 'product',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    sourcemap: 'linked',
    sourcesContent: false,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // as in the functions that are deployed: modules load faster than CommonJS
    mainFields: ['module', 'main'],
    // what is CommonJS inside a bundle still finds a `require`
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
    },
    logLevel: 'warning',
    plugins: [sourceAddresses],
  })
}

/** A hash of all that a bundle depends on: the product's sources, the versions of packages and of Node. */
function hashSources(): string {
  const hash = createHash('sha256').update(process.version)
  const files = ['shared', 'functions', 'infra'].flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|json)$/.test(name) && !name.endsWith('.test.ts'))
      .toSorted()
      .map((name) => `${folder}/${name}`),
  )
  for (const file of [...files, 'package-lock.json'])
    hash.update(file).update(readFileSync(join(repository, file)))
  return hash.digest('hex').slice(0, 24)
}

/**
 * The bundle of the sources as they are; it is made at the first start after a change.
 * @returns its folder
 * @throws Error when it cannot be made
 */
export async function findBundle(): Promise<string> {
  const folder = join(cache, hashSources())
  if (await stat(folder).catch(() => undefined)) return folder
  const fresh = `${folder}-${process.pid}`
  await mkdir(fresh, { recursive: true })
  await bundleProduct(fresh)
  await rename(fresh, folder).catch(async (error: unknown) => {
    // another process has made it meanwhile
    if (!(await stat(folder).catch(() => undefined))) throw error
    await rm(fresh, { recursive: true })
  })
  await removeOldBundles()
  return folder
}

async function removeOldBundles(): Promise<void> {
  for (const name of await readdir(cache)) {
    const { mtimeMs = Infinity } = (await stat(join(cache, name)).catch(() => undefined)) ?? {}
    if (Date.now() - mtimeMs > keptMs) await rm(join(cache, name), { recursive: true, force: true })
  }
}
