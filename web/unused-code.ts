import type { Plugin } from 'vite'

/** a compiled TypeScript enum */
const compiledEnum = /^var (\w+);\n\(function \(\1\) \{\n([\s\S]*?)\n\}\)\(\1 \|\| \(\1 = \{\}\)\);/gm

/**
 * Lets the bundler drop unused enums of Amplify: a compiled enum is a call, which stays unless it is marked as pure. Amplify names every
 * error of every Cognito call in one module, 17 KB of the first page.
 */
export function unusedEnums(): Plugin {
  return {
    name: 'unused-enums',
    transform: {
      filter: { id: /\/@aws-amplify\/.*\.mjs$/, code: /^\(function \(\w+\) \{$/m },
      handler: (code) => ({
        code: code.replace(
          compiledEnum,
          (_, name: string, members: string) =>
            `var ${name} = /* @__PURE__ */ (function (${name}) {\n${members}\nreturn ${name};\n})({});`,
        ),
        map: null,
      }),
    },
  }
}

/**
 * Leaves out the parsers of Amplify's configuration files, 15 KB of the first page: the page configures Amplify with the parsed form
 * (`web/src/lib/configure-auth.ts`).
 */
export function unusedConfigParsers(): Plugin {
  return {
    name: 'unused-config-parsers',
    load: {
      filter: { id: /\/@aws-amplify\/core\/dist\/esm\/utils\/parseAmplifyConfig\.mjs$/ },
      handler: () => 'export const parseAmplifyConfig = (config) => config',
    },
  }
}

/** Leaves out levels, times and plug-ins of Amplify's logger, 0.6 KB of the first page: its warnings and errors are in the console. */
export function unusedLogLevels(): Plugin {
  return {
    name: 'unused-log-levels',
    load: {
      filter: { id: /\/@aws-amplify\/core\/dist\/esm\/Logger\/ConsoleLogger\.mjs$/ },
      handler: () => `export class ConsoleLogger {
        constructor(name) { this.name = name }
        warn(...words) { console.warn(this.name, ...words) }
        error(...words) { console.error(this.name, ...words) }
        log() {}
        info() {}
        debug() {}
        verbose() {}
      }`,
    },
  }
}

/** Leaves out Amplify's sentences about missing arguments, 0.7 KB of the first page: the page has its own, by the errors' names. */
export function unusedErrorSentences(): Plugin {
  return {
    name: 'unused-error-sentences',
    transform: {
      filter: { id: /\/@aws-amplify\/auth\/dist\/esm\/common\/AuthErrorStrings\.mjs$/ },
      handler: (code) => ({
        code: code.replace(/^ {8}(?:message|recoverySuggestion): '.*',$/gm, ''),
        map: null,
      }),
    },
  }
}

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
