import type { Plugin } from 'esbuild'
import { readFile } from 'node:fs/promises'

const wholeImport = 'import { z } from "zod/v4"'

/**
 * Lets the bundler leave out what a library does not use of zod. It imports zod as one object, whose parts no bundler can tell apart, and
 * the functions share one copy of zod: the chat function would load 360 KB more at its start.
 */
export const namedZod: Plugin = {
  name: 'named-zod',
  setup(build) {
    build.onLoad(
      { filter: /[\\/]@ai-sdk[\\/]openai-compatible[\\/]dist[\\/]index\.js$/ },
      async ({ path }) => {
        const source = await readFile(path, 'utf8')
        if (!source.includes(wholeImport)) throw new Error(`${path} imports zod in another way`)
        return { contents: source.replace(wholeImport, 'import * as z from "zod/v4"'), loader: 'js' }
      },
    )
  },
}
