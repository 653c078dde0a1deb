import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { analyse } from 'scslre'
import { expect, it } from 'vitest'
import { builtInProviders } from '../../functions/providers/built-in.ts'
import { evaluateText, listParameters } from '../support/constant-text.ts'
import { parse, walk, type Node } from '../support/syntax-tree.ts'

/**
 * No regular expression takes more than linear time for any text: most texts are those of strangers. `scslre` finds quantifiers that
 * exchange characters (`\s*,?\s*$`), repeat themselves (`(a+)+`), and matches that start again at each character of a run (`x+$`).
 */

const root = join(import.meta.dirname, '../..')
/** `functions` and `infra` are checked as soon as they keep the rule. */
const folders = ['functions', 'shared', 'web/diagram', 'web/src']

/** Expressions that are run on short texts only, by file, and what bounds the text. */
const serverMessage = 'the first 2,000 characters of a message'
const bounded: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'functions/models/server-rejection.ts': {
    '"[^"]*("|$)|`[^`]*(`|$)|“[^”]*(”|$)|«[^»]*(»|$)|(?<![\\p{L}\\p{N}])[\'‘][^\'’]*([\'’]|$)': serverMessage,
    '(?=[\\w*+/=.-]*[\\d*])[\\w*+/=.-]{16,}': serverMessage,
  },
}

/** Expressions that are built of what is known at run time only, by file and code, and why they take no more than linear time. */
const literalParts = 'joins expressions or words of the file, without a repetition of its own'
const built: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'functions/providers/endpoints.ts': {
    'new RegExp(pattern)': 'of the definition of a provider, which the last test of this file checks',
  },
  'functions/models/text-marks.ts': {
    "new RegExp(marks.map((mark) => mark.replace(/[|[\\]]/g, '\\\\$&')).join('|'))": literalParts,
    "new RegExp(`<\\\\|${beginning}\\\\|>\\\\s{0,4}${name}\\\\s{0,4}<\\\\|sep\\\\|>`, 'g')":
      'repeats four blanks at most, between names of this file',
  },
  'functions/documents/bucket-object.ts': {
    'new RegExp(`<${name}>([^<]{0,1000})</${name}>`)':
      'an error of S3 of at most 16 KB; a repetition ends at the next tag',
  },
  'functions/documents/tables/query-functions.ts': {
    "new RegExp(`^${source}$`, 'iu')": 'LIKE, in a process that is killed after ten seconds',
    "new RegExp(toText(pattern), 'u')": 'REGEXP, in a process that is killed after ten seconds',
  },
  'web/src/lib/text/comparable-text.ts': {
    "new RegExp( [ [linkEnd, inlineMark, digitSeparator, firstLineMarks, marks], [lineEnd, cell, blanks], [dashes], [capitals], [otherLetter], ] .map((kind) => `(${kind.map(({ source }) => source).join('|')})`) .join('|'), 'gu', )":
      literalParts,
  },
  'web/src/features/import/read-librechat.ts': {
    'new RegExp(`\\\\b${name}="([^"]{0,200})"`)': 'an attribute of at most 200 characters, after its name',
  },
  'web/src/features/chat/read-aloud/sentence-languages.ts': {
    "new RegExp(String.raw`\\p{Script=${name}}`, 'u')": 'one letter',
  },
}

interface Literal {
  file: string
  source: string
  flags: string
}

const readSource = (file: string) => readFileSync(join(root, file), 'utf8')
const files = folders
  .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
  .filter((file) => !/\.(?:test|d)\.tsx?$/.test(file))

/** The literals, and what `RegExp` makes of constants; `unknown`: the code of what it makes of other texts. */
function listExpressions(): { literals: Literal[]; unknown: { file: string; code: string }[] } {
  const literals: Literal[] = []
  const unknown: { file: string; code: string }[] = []
  for (const file of files) {
    const text = readSource(file)
    for (const node of walk(parse(file, text))) {
      const regex = node['regex'] as { pattern: string; flags: string } | undefined
      if (regex) literals.push({ file, source: regex.pattern, flags: regex.flags })
      const callee = node['callee'] as Node | undefined
      if (callee?.['name'] !== 'RegExp') continue
      const [first, second] = node['arguments'] as Node[]
      const flags = second ? evaluateText(second, file, readSource) : ''
      const evaluate = (parameters?: ReadonlyMap<string, string>) =>
        first && evaluateText(first, file, readSource, parameters)
      const source = evaluate()
      const sources = source === undefined ? listParameters(node, file, readSource)?.map(evaluate) : [source]
      const known = sources?.filter((one) => one !== undefined)
      if (flags === undefined || known?.length !== sources?.length || !known)
        unknown.push({ file, code: text.slice(node.start, node['end'] as number).replace(/\s+/g, ' ') })
      else literals.push(...known.map((one) => ({ file, source: one, flags })))
    }
  }
  return { literals, unknown }
}

const expressions = listExpressions()

function findFaults(literal: Pick<Literal, 'source' | 'flags'>): string[] {
  const reports = [
    ...analyse(literal, { reportTypes: { Trade: false, Self: false } }).reports,
    // whatever follows may make it fail: without the option, the expression that once froze tabs is not found
    ...analyse(literal, { reportTypes: { Move: false }, assumeRejectingSuffix: true }).reports,
    // a bound inside a repetition bounds nothing: `(?:#{1,6})+` takes exponential time, which `scslre` finds in `(?:#+)+` only
    ...analyse(
      { ...literal, source: literal.source.replaceAll(/\{(\d+),\d+\}/g, '{$1,}') },
      { reportTypes: { Move: false, Trade: false }, assumeRejectingSuffix: true },
    ).reports,
  ]
  return [...new Set(reports.map(({ type, character }) => `${type} of ${JSON.stringify(character.pick)}`))]
}

it.each([
  ['^a+|a+$', ['Move of "a"']],
  ['^(?:a+)+$', ['Self of "a"']],
  [String.raw`^\s*,?\s*$`, ['Trade of " "']],
  [String.raw`^(?:-\d?[ \t]+[ \t]*){16}`, ['Trade of " "']],
  ['^a+$', []],
  ['^[ \\t]*(?:[-*+>|]|#{1,6})+[ \\t]+', ['Self of "#"']],
  ['^(?:ba{1,6})+ ', []],
])('finds what makes %s slow', (source, faults) => {
  expect(findFaults({ source, flags: '' })).toEqual(faults)
})

it('every regular expression takes linear time, or has a text whose length is bounded', () => {
  const { literals } = expressions
  expect(literals.length).toBeGreaterThan(100)
  const slow = literals
    .filter(({ file, source }) => bounded[file]?.[source] === undefined)
    .map((literal) => ({ ...literal, faults: findFaults(literal) }))
    .filter(({ faults }) => faults.length > 0)
  expect(slow.map(({ file, source, faults }) => `${file}: /${source}/ ${faults.join(', ')}`)).toEqual([])
})

it('every regular expression that is built at run time is listed with a reason', () => {
  const { unknown } = expressions
  expect(unknown.map(({ file, code }) => `${file}: ${code}`).toSorted()).toEqual(
    Object.entries(built)
      .flatMap(([file, codes]) => Object.keys(codes).map((code) => `${file}: ${code}`))
      .toSorted(),
  )
})

it('evaluates what expressions are built of', () => {
  const others: Record<string, string> = {
    'shared/b.ts': "export const word = String.raw`\\w+`\nexport const names = ['a', 'b'] as const",
  }
  const evaluate = (code: string, before = '') => {
    const text = `import { word, names as both } from '#shared/b.ts'\n${before}\nRegExp(${code})`
    const call = walk(parse('web/src/a.ts', text)).find(
      ({ callee }) => (callee as Node | undefined)?.['name'] === 'RegExp',
    )
    const [argument] = (call?.['arguments'] ?? []) as Node[]
    return argument && evaluateText(argument, 'web/src/a.ts', (file) => others[file] ?? text)
  }
  expect(evaluate("'x+'")).toBe('x+')
  expect(evaluate('`^${one}$`', "const one = 'x' + `y`")).toBe('^xy$')
  expect(evaluate('String.raw`\\s${word}`')).toBe('\\s\\w+')
  expect(evaluate("`(?:${both.join('|')})`")).toBe('(?:a|b)')
  expect(evaluate('one.source', 'const one = /a+/u')).toBe('a+')
  expect(evaluate('one', 'const one = /a+/u')).toBe('a+')
  expect(evaluate("['i', 'x'].join('|').replaceAll('i', 'l')")).toBe('l|x')
  expect(evaluate('one', 'const one = new RegExp(word, "u")')).toBe('\\w+')
  expect(evaluate('`${one}`', 'let one = 1')).toBeUndefined()
  expect(evaluate('`${text}`')).toBeUndefined()
})

it('addresses that people enter for a provider are matched in linear time', () => {
  const patterns = builtInProviders.flatMap(({ addressParameters }) =>
    addressParameters.map(({ pattern }) => pattern),
  )
  expect(patterns.length).toBeGreaterThan(0)
  expect(patterns.filter((source) => findFaults({ source, flags: '' }).length > 0)).toEqual([])
})

it('every exception is needed', () => {
  const { literals } = expressions
  const needed = Object.entries(bounded).flatMap(([file, sources]) =>
    Object.keys(sources).filter((source) => {
      const literal = literals.find((one) => one.file === file && one.source === source)
      return !literal || findFaults(literal).length === 0
    }),
  )
  expect(needed).toEqual([])
})
