import { build, type Plugin } from 'esbuild'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { productPreloads } from './child-environment.ts'

const repository = join(import.meta.dirname, '../..')

/** Keeps `import.meta.url` and `import.meta.dirname` as in the sources: modules find their threads and files there. */
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
 * Bundles what `npm start` runs, with the modules that tests load before it: a process finds and reads one file instead of more than a
 * thousand. There are no source maps, with which a product takes a tenth more time. It is not minified: names of functions and errors stay.
 * @param folder gets `product.mjs` and its chunks
 * @throws Error when the code does not bundle; esbuild has printed why
 */
export async function bundleProduct(folder: string): Promise<void> {
  await build({
    stdin: {
      contents: [...productPreloads.map((file) => `test/support/${file}`), 'infra/local/main.ts']
        .map((path) => `import './${path}'`)
        .join('\n'),
      resolveDir: repository,
    },
    outdir: folder,
    entryNames: 'product',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
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
