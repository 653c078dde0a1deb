import { t } from '@lingui/core/macro'
import type { LanguageFn } from 'highlight.js'
import { createBoundedCache } from './bounded-cache.ts'
import { getLanguageNames } from './language-names.ts'
import { maxHighlightedCharacters } from './markdown-limits.ts'

/** What a token of code is, for its colour. */
export type TokenKind = 'keyword' | 'string' | 'number' | 'type' | 'comment'
/** A piece of code; without a kind it has the colour of text. */
export interface CodeToken {
  text: string
  kind?: TokenKind
}

interface Language {
  /** its usual name, as it is shown */
  label: string
  /** the names that fences use, in small letters */
  names: readonly string[]
  load: () => Promise<{ default: LanguageFn }>
}

/** Grammars are loaded one by one, each with the first code that needs it. */
const languages: readonly Language[] = [
  { label: 'Bash', names: ['bash', 'zsh', 'ksh'], load: () => import('highlight.js/lib/languages/bash') },
  {
    label: 'Shell',
    names: ['sh', 'shell', 'console', 'shell-session', 'shellsession', 'terminal'],
    load: () => import('highlight.js/lib/languages/bash'),
  },
  { label: 'C', names: ['c', 'h'], load: () => import('highlight.js/lib/languages/c') },
  {
    label: 'C++',
    names: ['cpp', 'c++', 'cc', 'cxx', 'hpp', 'h++'],
    load: () => import('highlight.js/lib/languages/cpp'),
  },
  { label: 'C#', names: ['cs', 'c#', 'csharp'], load: () => import('highlight.js/lib/languages/csharp') },
  { label: 'CSS', names: ['css'], load: () => import('highlight.js/lib/languages/css') },
  { label: 'Dart', names: ['dart'], load: () => import('highlight.js/lib/languages/dart') },
  { label: 'Diff', names: ['diff', 'patch'], load: () => import('highlight.js/lib/languages/diff') },
  {
    label: 'Dockerfile',
    names: ['dockerfile', 'docker'],
    load: () => import('highlight.js/lib/languages/dockerfile'),
  },
  { label: 'Elixir', names: ['elixir', 'ex'], load: () => import('highlight.js/lib/languages/elixir') },
  { label: 'Go', names: ['go', 'golang'], load: () => import('highlight.js/lib/languages/go') },
  { label: 'GraphQL', names: ['graphql', 'gql'], load: () => import('highlight.js/lib/languages/graphql') },
  { label: 'Haskell', names: ['haskell', 'hs'], load: () => import('highlight.js/lib/languages/haskell') },
  {
    label: 'HTML',
    names: ['html', 'xhtml', 'html5', 'htm'],
    load: () => import('highlight.js/lib/languages/xml'),
  },
  {
    label: 'XML',
    names: ['xml', 'xsd', 'xsl', 'xslt', 'rss', 'plist'],
    load: () => import('highlight.js/lib/languages/xml'),
  },
  { label: 'SVG', names: ['svg'], load: () => import('highlight.js/lib/languages/xml') },
  {
    label: 'INI',
    names: ['ini', 'conf', 'cfg', 'properties'],
    load: () => import('highlight.js/lib/languages/ini'),
  },
  { label: 'TOML', names: ['toml'], load: () => import('highlight.js/lib/languages/ini') },
  { label: 'Java', names: ['java'], load: () => import('highlight.js/lib/languages/java') },
  {
    label: 'JavaScript',
    names: ['js', 'jsx', 'javascript', 'mjs', 'cjs', 'node', 'nodejs'],
    load: () => import('highlight.js/lib/languages/javascript'),
  },
  {
    label: 'JSON',
    names: ['json', 'jsonc', 'json5', 'jsonl', 'ndjson', 'geojson'],
    load: () => import('highlight.js/lib/languages/json'),
  },
  {
    label: 'Vega-Lite',
    names: ['vega-lite', 'vegalite', 'vega_lite', 'vl'],
    load: () => import('highlight.js/lib/languages/json'),
  },
  { label: 'Vega', names: ['vega'], load: () => import('highlight.js/lib/languages/json') },
  {
    label: 'Kotlin',
    names: ['kotlin', 'kt', 'kts'],
    load: () => import('highlight.js/lib/languages/kotlin'),
  },
  {
    label: 'LaTeX',
    names: ['latex', 'tex', 'bibtex'],
    load: () => import('highlight.js/lib/languages/latex'),
  },
  { label: 'Lua', names: ['lua'], load: () => import('highlight.js/lib/languages/lua') },
  {
    label: 'Makefile',
    names: ['makefile', 'make', 'mk'],
    load: () => import('highlight.js/lib/languages/makefile'),
  },
  {
    label: 'Markdown',
    names: ['markdown', 'md'],
    load: () => import('highlight.js/lib/languages/markdown'),
  },
  { label: 'Nginx', names: ['nginx'], load: () => import('highlight.js/lib/languages/nginx') },
  { label: 'Perl', names: ['perl', 'pl'], load: () => import('highlight.js/lib/languages/perl') },
  { label: 'PHP', names: ['php'], load: () => import('highlight.js/lib/languages/php') },
  {
    label: 'PowerShell',
    names: ['powershell', 'ps1', 'ps', 'pwsh'],
    load: () => import('highlight.js/lib/languages/powershell'),
  },
  {
    label: 'Python',
    names: ['python', 'py', 'python3', 'py3', 'ipython'],
    load: () => import('highlight.js/lib/languages/python'),
  },
  { label: 'R', names: ['r'], load: () => import('highlight.js/lib/languages/r') },
  { label: 'Ruby', names: ['ruby', 'rb'], load: () => import('highlight.js/lib/languages/ruby') },
  { label: 'Rust', names: ['rust', 'rs'], load: () => import('highlight.js/lib/languages/rust') },
  { label: 'Scala', names: ['scala'], load: () => import('highlight.js/lib/languages/scala') },
  { label: 'SCSS', names: ['scss', 'sass'], load: () => import('highlight.js/lib/languages/scss') },
  { label: 'Less', names: ['less'], load: () => import('highlight.js/lib/languages/scss') },
  {
    label: 'SQL',
    names: ['sql', 'postgresql', 'postgres', 'pgsql', 'mysql', 'sqlite', 'plsql', 'tsql', 't-sql'],
    load: () => import('highlight.js/lib/languages/sql'),
  },
  { label: 'Swift', names: ['swift'], load: () => import('highlight.js/lib/languages/swift') },
  {
    label: 'TypeScript',
    names: ['ts', 'tsx', 'typescript', 'mts', 'cts'],
    load: () => import('highlight.js/lib/languages/typescript'),
  },
  { label: 'YAML', names: ['yaml', 'yml'], load: () => import('highlight.js/lib/languages/yaml') },
]
const languageByName = new Map(
  languages.flatMap((language) => language.names.map((name) => [name, language])),
)

function findLanguage(word: string): Language | undefined {
  const name = getLanguageNames(word).find((one) => languageByName.has(one))
  return name === undefined ? undefined : languageByName.get(name)
}

const plainText = new Set(['', 'text', 'txt', 'plain', 'plaintext', 'markdown', 'md', 'mdx'])

/** Whether a block holds prose, whose lines each have the direction of their first letter, and not code, which is read from left to right. */
export const isPlainText = (word: string): boolean =>
  getLanguageNames(word).some((name) => plainText.has(name))

/** Names of languages without a grammar that are written in capitals. */
const abbreviations = new Set(['csv', 'tsv'])

/** @returns a language's usual name, or the word of the fence if it is unknown */
export const getLanguageLabel = (word: string): string =>
  findLanguage(word)?.label ?? (abbreviations.has(word.toLowerCase()) ? word.toUpperCase() : word || t`Code`)

/** The code that was highlighted last: when a reply ends it is mounted again, and keeps its colours. */
const highlightCache = createBoundedCache<readonly CodeToken[]>(100)
const createCacheKey = (code: string, language: string) => `${language.toLowerCase()}\n${code}`

/** The tokens of code that was highlighted before; undefined if it was not, or if others took its place in the cache. */
export const findHighlighted = (code: string, language: string): readonly CodeToken[] | undefined =>
  highlightCache.get(createCacheKey(code, language))

/**
 * Splits code into tokens by the grammar of its language, which is loaded with the first code of that language.
 * @returns tokens that add up to the code; undefined for an unknown language, very long code, and a grammar that cannot be loaded
 */
export async function highlight(code: string, language: string): Promise<readonly CodeToken[] | undefined> {
  const entry = findLanguage(language)
  if (!entry || code.length > maxHighlightedCharacters) return undefined
  try {
    const [{ tokenize }, { default: grammar }] = await Promise.all([import('./tokenize.ts'), entry.load()])
    const tokens = tokenize(code, entry.label.toLowerCase(), grammar)
    highlightCache.set(createCacheKey(code, language), tokens)
    return tokens
  } catch {
    // offline, or a newer version was deployed: plain code is better than an error
    return undefined
  }
}
