import type { Plugin } from 'esbuild'
import { readFile } from 'node:fs/promises'

/** Each client of the SDK imports its `package.json`, of which it sends the version to AWS: the rest stays out of a bundle. */
export const packageVersions: Plugin = {
  name: 'package-versions',
  setup(build) {
    build.onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[\w-]+[\\/]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string }
      return { contents: JSON.stringify({ version }), loader: 'json' }
    })
  },
}
