import type { Plugin } from 'vite'

/**
 * Lets the bundler drop the parts of react-router that nothing uses, 3 KB of the first page: forms, and the links that its framework
 * prefetches, without which a `Link` prefetches nothing. Calls and names for development tools keep them otherwise.
 */
export function unusedComponents(): Plugin {
  return {
    name: 'unused-components',
    transform: {
      filter: { id: /\/react-router\/dist\/production\/.*\.js$/ },
      handler: (code) => ({
        code: code
          .replace(/^\w+\.displayName = .*;$/gm, '')
          .replace(/^(const \w+ = )(React\$1\.(?:forwardRef|createContext)\()/gm, '$1/* @__PURE__ */ $2')
          .replace(/React\$1\.createElement\(PrefetchPageLinks, [^)]*\)/, 'null'),
        map: null,
      }),
    },
  }
}

/**
 * Leaves out what the messages of this page do not use of Lingui, half a kilobyte of the first page: formats of dates, choices of words,
 * escape sequences, and methods and warnings for messages that no build has compiled.
 */
export function unusedFormats(): Plugin {
  return {
    name: 'unused-formats',
    transform: {
      filter: { id: /\/@lingui\/core\/dist\/index\.mjs$/ },
      handler: (code) => ({
        code: code
          .replace(/^ {4}(?:select|date|time): .*$/gm, '')
          .replace(/^ {4}selectordinal: [\s\S]*?^ {4}\},$/m, '')
          .replace(/^ {2}(?:date|number|setVariables?)\([^)]*\) \{[\s\S]*?^ {2}\}$/gm, '')
          .replace(/"Lingui: Attempted .*"/, '')
          .replace(/^ {4}if \(isString\(\w+\) && ESCAPE_SEQUENCE_REGEX.*\{\n.*\n {4}\}$/gm, '')
          .replace(/^ {4}if \(isString\(\w+\) && ESCAPE_SEQUENCE_REGEX[^;]*;$/gm, '')
          .replace(/console\.warn\(`Uncompiled [\s\S]*?`\);/, ''),
        map: null,
      }),
    },
  }
}
