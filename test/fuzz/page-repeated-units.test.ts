import { describe, expect, it } from 'vitest'
import { completeMarkdown } from '../../web/src/features/chat/markdown/complete-markdown.ts'
import { parseInSteps } from '../../web/src/features/chat/markdown/incremental-document.ts'
import { exceedsMarkdownLimits } from '../../web/src/features/chat/markdown/markdown-limits.ts'
import { endsInsideMath, extractMath } from '../../web/src/features/chat/markdown/math-source.ts'
import { splitBold } from '../../web/src/features/chat/markdown/split-bold.ts'
import { parseCsv, sanitizeCsv } from '../../web/src/features/chat/preview/parse-csv.ts'
import { revealHiddenCharacters } from '../../web/src/features/chat/tools/hidden-characters.ts'
import { limitCpuTime } from '../support/fuzz.ts'

/** Work of the page on texts of others that grows faster than the text freezes the tab of every reader. */

/** Enough for quadratic time to be far beyond the limit. */
const length = 50_000

/** What the patterns of the page begin with, and what they skip. */
const units = [
  ...Array.from(' \t\n\u00a0_.,;:!?-+*#/\\\'"<>()[]{}&=@|~`^%$0aA\u0301\u200b\ud800'),
  '-     ',
  '>  ',
  '1. ',
  'a ',
  '** ',
  '**a',
  '**a ',
  '[a](',
  '![',
  '[^a]: ',
  '`` ',
  '`a``a',
  '```\n',
  '~~~\n',
  '$a',
  '$$a\n',
  '\\(a',
  '\\[',
  '| ',
  '|a|\n',
  '\n ',
  '\n\n',
  '<b>',
  '&amp;',
  'https://a.example ',
  'a@',
]

const functions: Readonly<Record<string, (text: string) => unknown>> = {
  completeMarkdown,
  exceedsMarkdownLimits,
  extractMath,
  endsInsideMath,
  splitBold,
  parseCsv,
  sanitizeCsv,
  revealHiddenCharacters,
}

describe.each(Object.entries(functions))('%s', (_, work) => {
  it('takes time that grows with its text, whatever is repeated in it', () => {
    for (const unit of units) {
      const run = unit.repeat(Math.ceil(length / unit.length))
      for (const text of [run, `x${run}x`, `**a${run}b`, `- ${run}x`])
        try {
          limitCpuTime(() => work(text))
        } catch (error) {
          throw new Error(`repeated ${JSON.stringify(unit)}`, { cause: error })
        }
    }
  })
})

it('the line of 91 characters that froze tabs is shown as plain text', () => {
  const text = `${'-     '.repeat(15)}x`
  expect(limitCpuTime(() => exceedsMarkdownLimits(text))).toBe(false)
  expect(exceedsMarkdownLimits(`- ${text}`)).toBe(true)
})

describe('a degenerate document', () => {
  const documents: Readonly<Record<string, string>> = {
    'underlined headings': 'a\n=\n'.repeat(5_000),
    headings: '# a\n'.repeat(10_000),
    'rows of a table': `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(10_000)}`,
    items: '- a\n'.repeat(10_000),
    quotes: '> a\n\n'.repeat(5_000),
    'code blocks': '```\na\n```\n'.repeat(3_000),
    'two lists in turns': '- a\n1. b\n'.repeat(5_000),
    'footnotes and headings': `[^a]: b\n\n${'a\n=\n'.repeat(5_000)}`,
  }
  it.each(Object.entries(documents))('of many %s is parsed step by step, and in part only', (_, text) => {
    const { blocks, text: parsed } = limitCpuTime(() => parseInSteps(text), 20_000)
    expect(parsed).toBe(text)
    expect(blocks.length).toBeLessThan(5_000)
  })
})
