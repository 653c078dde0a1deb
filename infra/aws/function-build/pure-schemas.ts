import type { Plugin } from 'esbuild'
import { readFile } from 'node:fs/promises'

/** A constant of a module, as oxfmt writes it: up to the next line that begins a statement or a comment. */
const constant = /^((?:export )?const \w+(?:: [^=\n]+)? = )(.*(?:\n(?:[ \t})\]].*)?)*)/gm

/**
 * Lets the bundler leave out schemas that a function does not use. A schema is built by calls, which could have effects, so that all of a
 * module would stay, and would be built at each start, for the sake of one.
 */
export const pureSchemas: Plugin = {
  name: 'pure-schemas',
  setup(build) {
    build.onLoad({ filter: /[\\/]shared[\\/]contracts[\\/][\w-]+\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const contents = source.replaceAll(
        constant,
        (_, start: string, value: string) =>
          `${start}/* @__PURE__ */ (() => {\nreturn (${value.trimEnd()})\n})()\n\n`,
      )
      return { contents, loader: 'ts' }
    })
  },
}
