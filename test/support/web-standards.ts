import { createRequire } from 'node:module'
import type {
  CompatData,
  CompatStatement,
  Identifier,
  SimpleSupportStatement,
} from '@mdn/browser-compat-data'
import { parseAst } from 'vite'

/** Checks the web platform features of a build against MDN's browser compatibility data. */

// twenty megabytes: required, so that no test runner makes a module of them
const bcd = createRequire(import.meta.url)('@mdn/browser-compat-data') as CompatData

export type Browsers = Readonly<Record<'firefox' | 'safari', number>>

const hasFeature = (
  version: number,
  {
    version_added: added,
    version_removed: removed,
    flags,
    prefix,
    alternative_name: other,
  }: SimpleSupportStatement,
) =>
  typeof added === 'string' &&
  Number.parseFloat(added.replace('≤', '')) <= version &&
  removed === undefined &&
  !flags &&
  !prefix &&
  !other

function isSupported({ support }: CompatStatement, browsers: Browsers): boolean {
  return Object.entries(browsers).every(([name, version]) => {
    const statements = support[name as keyof Browsers]
    return [statements ?? []].flat().some((one) => hasFeature(version, one))
  })
}

/** The names below a node of the table, each with whether any of its meanings is supported. */
function listNames(
  nodes: Iterable<Identifier | undefined>,
  browsers: Browsers,
  simplify = (key: string) => key,
): Map<string, boolean> {
  const names = new Map<string, boolean>()
  for (const node of nodes)
    for (const [key, { __compat: compat }] of Object.entries((node ?? {}) as Record<string, Identifier>)) {
      if (key === '__compat' || !compat) continue
      const name = simplify(key)
      names.set(name, names.get(name) === true || isSupported(compat, browsers))
    }
  return names
}

const children = (node: Identifier | undefined): Identifier[] =>
  Object.entries(node ?? {}).flatMap(([key, value]) => (key === '__compat' ? [] : [value as Identifier]))

/** @returns what a style sheet uses that one of the browsers does not know: at-rules, selectors, properties, values, functions, media features */
export function findUnsupportedStyles(css: string, browsers: Browsers): string[] {
  const withoutStrings = css.replaceAll(/\/\*[^]*?\*\/|"[^"]*"|'[^']*'|url\([^)]*\)|\\./g, '')
  const { properties = {}, selectors, types, 'at-rules': atRules = {} } = bcd.css
  const found = new Set<string>()
  const check = (names: Map<string, boolean>, kind: string, used: Iterable<string | undefined>) => {
    for (const name of used) if (name !== undefined && names.get(name) === false) found.add(`${kind} ${name}`)
  }
  const all = (pattern: RegExp) => new Set([...withoutStrings.matchAll(pattern)].map(([, name]) => name))
  check(listNames([atRules], browsers), 'at-rule', all(/@([\w-]+)/g))
  check(listNames([selectors], browsers), 'selector', all(/:([\w-]+)(?=[^;{}]*\{)/g))
  check(listNames([atRules['media'] as Identifier], browsers), 'media feature', all(/\(([\w-]+)\s*[:)<>=]/g))
  check(listNames([properties], browsers), 'property', all(/[{;]\s*([\w-]+)\s*:(?![^;{}]*\{)/g))
  const functions = listNames([types, ...children(types)], browsers)
  check(functions, 'function', all(/([\w-]+)\(/g))
  for (const [, property = '', value = ''] of withoutStrings.matchAll(
    /[{;]\s*([\w-]+)\s*:([^;{}]*)(?=[;}])/g,
  )) {
    const values = properties[property]
    if (values) check(listNames([values], browsers), `value of ${property}`, value.trim().split(/[\s,]+/))
  }
  return [...found].toSorted()
}

interface Node {
  type: string
  [key: string]: unknown
}

/** The global objects of every page, by their interface. */
const globalObjects: Readonly<Record<string, string>> = {
  window: 'Window',
  self: 'Window',
  globalThis: 'Window',
  navigator: 'Navigator',
  document: 'Document',
  screen: 'Screen',
  history: 'History',
  location: 'Location',
  performance: 'Performance',
  crypto: 'Crypto',
}

/**
 * @returns what a script uses that one of the browsers does not have: globals, members of these and of the objects that every page has,
 *   and methods of the language's own values
 */
export function findUnsupportedCalls(code: string, browsers: Browsers): string[] {
  const { api } = bcd
  const builtins = (bcd.javascript.builtins ?? {}) as Record<string, Identifier>
  const withoutStaticSuffix = (key: string) => key.replace(/_static$/, '')
  const globals = listNames([api, builtins, api['Window'], api['WorkerGlobalScope']], browsers)
  const methods = listNames(Object.values(builtins), browsers)
  const found = new Set<string>()
  const visit = (node: Node, parent?: Node): void => {
    const name = getName(node)
    if (node.type === 'MemberExpression' && node['computed'] !== true) {
      const holder = getName(node['object'])
      const member = getName(node['property'])
      const table = api[globalObjects[holder] ?? holder] ?? builtins[holder]
      if (table && listNames([table], browsers, withoutStaticSuffix).get(member) === false)
        found.add(`${holder}.${member}`)
      // a name of several words is the language's own, a short one may be from any library
      else if (/[a-z][A-Z]/.test(member) && methods.get(member) === false) found.add(`.${member}`)
    }
    const isNamed =
      (parent?.type === 'MemberExpression' && parent['property'] === node && parent['computed'] !== true) ||
      (parent?.type === 'Property' && parent['key'] === node)
    // shorter names come from the minifier
    if (node.type === 'Identifier' && !isNamed && name.length > 3 && globals.get(name) === false)
      found.add(name)
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, node)
  }
  visit(parseAst(code) as unknown as Node)
  return [...found].toSorted()
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
const getName = (node: unknown): string =>
  isNode(node) && node.type === 'Identifier' ? String(node['name']) : ''
