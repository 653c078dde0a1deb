import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { analyse } from 'scslre'
import { expect, it } from 'vitest'
import { parse, walk } from '../support/syntax-tree.ts'

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

interface Literal {
  file: string
  source: string
  flags: string
}

function listLiterals(): Literal[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
    .filter((file) => !/\.(?:test|d)\.tsx?$/.test(file))
    .flatMap((file) =>
      walk(parse(file, readFileSync(join(root, file), 'utf8'))).flatMap((node) => {
        const regex = node['regex'] as { pattern: string; flags: string } | undefined
        return regex ? [{ file, source: regex.pattern, flags: regex.flags }] : []
      }),
    )
}

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
  const literals = listLiterals()
  expect(literals.length).toBeGreaterThan(100)
  const slow = literals
    .filter(({ file, source }) => bounded[file]?.[source] === undefined)
    .map((literal) => ({ ...literal, faults: findFaults(literal) }))
    .filter(({ faults }) => faults.length > 0)
  expect(slow.map(({ file, source, faults }) => `${file}: /${source}/ ${faults.join(', ')}`)).toEqual([])
})

it('every exception is needed', () => {
  const literals = listLiterals()
  const needed = Object.entries(bounded).flatMap(([file, sources]) =>
    Object.keys(sources).filter((source) => {
      const literal = literals.find((one) => one.file === file && one.source === source)
      return !literal || findFaults(literal).length === 0
    }),
  )
  expect(needed).toEqual([])
})
