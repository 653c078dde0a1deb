export type TokenKind = 'keyword' | 'string' | 'number' | 'type' | 'comment'
export interface CodeToken {
  text: string
  kind?: TokenKind
}

/** Longer code is shown plain: colouring it would hold the page up. */
const maxCharacters = 30_000

interface Family {
  comment: string
  string: string
  keywords: string
  ignoreCase?: boolean
  /** capitalised words are types */
  types?: boolean
}

const slashComment = String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)`
const hashComment = String.raw`#[^\n]*`
const quotes = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`
const template = '|`(?:\\\\.|[^`\\\\])*`'

const c: Family = {
  comment: slashComment,
  string: quotes + template,
  types: true,
  keywords:
    'abstract as async await boolean break case catch char class const continue default defer delete do double else enum export extends extern false final finally float fn for from func function get go goto if impl implements import in instanceof int interface internal let long match mod module mut namespace new nil null number object of operator override package private protected pub public range readonly ref return self set short sizeof static string struct super switch template this throw trait true try type typeof undefined union unsafe unsigned use using val var virtual void volatile when where while with yield',
}
const python: Family = {
  comment: hashComment,
  string: String.raw`"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|` + quotes,
  types: true,
  keywords:
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return self try while with yield begin end do then module require nil unless until puts',
}
const shell: Family = {
  comment: String.raw`(?<=^|\s)#[^\n]*`,
  string: quotes,
  keywords:
    'if then else elif fi for while until do done case esac in function return export local set unset source sudo echo cd exit true false',
}
const sql: Family = {
  comment: String.raw`--[^\n]*|\/\*[^]*?(?:\*\/|$)`,
  string: String.raw`'(?:''|[^'])*'`,
  ignoreCase: true,
  keywords:
    'add all alter and as asc begin between by case check column commit constraint create cross database default delete desc distinct drop else end exists foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then transaction union unique update using values view when where with',
}
const data: Family = {
  comment: `${hashComment}|${slashComment}`,
  string: quotes,
  keywords: 'true false null yes no',
}
const css: Family = {
  comment: String.raw`\/\*[^]*?(?:\*\/|$)`,
  string: quotes,
  keywords: 'important media supports layer import keyframes container property',
}

const families: Record<string, Family> = {}
const name = (family: Family, ...languages: string[]) => languages.forEach((l) => (families[l] = family))
name(
  c,
  'js',
  'jsx',
  'javascript',
  'ts',
  'tsx',
  'typescript',
  'java',
  'kotlin',
  'kt',
  'swift',
  'go',
  'rust',
  'rs',
)
name(c, 'c', 'cpp', 'c++', 'cs', 'csharp', 'c#', 'php', 'scala', 'dart', 'groovy', 'mjs', 'cjs', 'zig')
name(python, 'py', 'python', 'rb', 'ruby', 'elixir', 'r')
name(shell, 'sh', 'bash', 'zsh', 'shell', 'console', 'dockerfile', 'makefile', 'powershell')
name(sql, 'sql', 'postgresql', 'mysql', 'sqlite', 'plsql')
name(data, 'json', 'jsonc', 'json5', 'yaml', 'yml', 'toml', 'ini')
name(css, 'css', 'scss', 'less')

/** Colours code by its lexical parts only; a language that is not known stays plain. The texts always add up to the code. */
export function highlight(code: string, language: string): CodeToken[] {
  const family = families[language.toLowerCase()]
  if (!family || code.length > maxCharacters) return [{ text: code }]
  const keywords = new Set(family.keywords.split(' '))
  const pattern = new RegExp(
    `(${family.comment})|(${family.string})|(?<![\\w.])(\\d[\\w.]*)|([A-Za-z_$][\\w$]*)`,
    'gm',
  )
  const tokens: CodeToken[] = []
  let plain = ''
  let at = 0
  for (const found of code.matchAll(pattern)) {
    const [text, comment, string, number, word = ''] = found
    const kind: TokenKind | undefined =
      comment !== undefined
        ? 'comment'
        : string !== undefined
          ? 'string'
          : number !== undefined
            ? 'number'
            : keywords.has(family.ignoreCase ? word.toLowerCase() : word)
              ? 'keyword'
              : family.types && /^[A-Z][\w$]*[a-z]/.test(word)
                ? 'type'
                : undefined
    plain += code.slice(at, found.index)
    at = found.index + text.length
    if (!kind) {
      plain += text
      continue
    }
    if (plain !== '') tokens.push({ text: plain })
    plain = ''
    tokens.push({ text, kind })
  }
  plain += code.slice(at)
  if (plain !== '') tokens.push({ text: plain })
  return tokens
}
