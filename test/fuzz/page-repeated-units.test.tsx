import { describe, expect, it } from 'vitest'
import { completeMarkdown } from '../../web/src/features/chat/markdown/complete-markdown.ts'
import {
  getStreamingBlocks,
  parseInSteps,
  updateDocument,
} from '../../web/src/features/chat/markdown/incremental-document.ts'
import { parseMarkdown, toMaxSteps } from '../../web/src/features/chat/markdown/parse-markdown.ts'
import { markLooseBold } from '../../web/src/features/chat/markdown/extensions/loose-bold.ts'
import { extractMath } from '../../web/src/features/chat/markdown/math-source.ts'
import { splitBold } from '../../web/src/features/chat/markdown/split-bold.ts'
import { readPlainText } from '../../web/src/features/chat/read-aloud/spoken-text.ts'
import { inlinePageFiles } from '../../web/src/features/chat/preview/inline-page-files.ts'
import { getPreviewKind } from '../../web/src/features/chat/markdown/preview-kind.ts'
import { readTable, sanitizeCsv } from '../../web/src/lib/browser/read-table.ts'
import { revealHiddenCharacters } from '../../web/src/lib/text/hidden-characters.ts'
import { repairSource } from '../../web/diagram/repair-source.ts'
import { limitCpuTime, part } from '../support/fuzz.ts'

/** Work of the page on texts of others that grows faster than the text freezes the tab of every reader. */

/** Enough for quadratic time to be far beyond the limit. */
const length = 20_000

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
  '\\begin{array}',
  '\\begin{align}\\end{align}',
  '\\eqref{a}',
  '[a](b:c ',
  '**a: **b',
  '**a:**b',
  '\\[',
  '| ',
  '|a|\n',
  '\n ',
  '\n\n',
  '<b>',
  '<link ',
  '<script src="a">',
  '<script>',
  '<!doctype[>',
  'a[(',
  'x-axis ',
  ': a - ',
  '&amp;',
  'https://a.example ',
  'a@',
]

const functions: Readonly<Record<string, (text: string) => unknown>> = {
  completeMarkdown,
  extractMath,
  markLooseBold,
  splitBold,
  readPlainText,
  readTable,
  sanitizeCsv,
  recognise: (text) => [text, `<!doctype ${text}`, `<!--${text}`].map((code) => getPreviewKind('', code)),
  inlinePageFiles: (text) => {
    const page = { kind: 'html', code: text, isComplete: true } as const
    return inlinePageFiles(page, [page, { ...page, kind: 'css' }, { ...page, kind: 'js' }])
  },
  repairSource: (text) =>
    ['graph TD', 'mindmap', 'sequenceDiagram', 'erDiagram', 'pie', 'xychart', 'quadrantChart'].map((type) =>
      repairSource(`${type}\n${text}`),
    ),
  revealHiddenCharacters,
}

describe.each(Object.entries(functions))('%s', (_, work) => {
  it('takes time that grows with its text, whatever is repeated in it', () => {
    for (const [index, unit] of units.entries()) {
      const run = unit.repeat(Math.ceil(length / unit.length))
      for (const text of part([run, `x${run}x`, `**a${run}b`, `- ${run}x`], 4, index))
        try {
          limitCpuTime(() => work(text))
        } catch (error) {
          throw new Error(`repeated ${JSON.stringify(unit)}`, { cause: error })
        }
    }
  })
})

/** Repeats a line that may grow: by its number, or by how deep it is. */
const growLines = (line: (index: number) => string, characters = 5_000): string => {
  let text = ''
  for (let index = 0; text.length < characters; index += 1) text += line(index)
  return text
}

describe('markdown', () => {
  const growing: Readonly<Record<string, string>> = {
    'a list nested by lines': growLines((index) => `${'  '.repeat(index)}- a\n`),
    'a numbered list nested by lines': growLines((index) => `${'   '.repeat(index)}1. a\n`),
    'lists and quotes nested by lines': growLines((index) => `${'  > '.repeat(index % 40)}- > a\n`),
    'quotes nested by lines': growLines((index) => `${'>'.repeat(index % 60)} a\n`),
    'a deep list with many items': growLines((index) => `${'  '.repeat(Math.min(index, 30))}- a\n`),
    'one item with a long list': `- x\n${growLines(() => '  - a\n')}`,
    'one item with a long table': `- x\n\n  |a|b|\n  |-|-|\n${growLines(() => '  |a|**b**|\n')}`,
    'one quote with a long list': growLines(() => '> - a\n'),
    'emphasis on lines that go on': `a\n${growLines(() => '    **a **a **a **a\n')}`,
    'links on lines that go on': `a\n${growLines(() => '    [a [a [a [a\n')}`,
    'a backtick in the info of a fence': `\`\`\` \`\n${growLines(() => '[a ')}`,
    'emphasis that opens and closes': growLines(() => '**a*a'),
    'emphasis nested in emphasis': `${'**a '.repeat(600)}${'a** '.repeat(600)}`,
    'emphasis between Chinese letters': growLines(() => '这是**重点**。'),
    'growing backticks': growLines((index) => `${'`'.repeat(index)} `),
    'closing brackets': growLines(() => ']'),
    'brackets and a footnote': `[^a]: b\n\n${growLines(() => '[^a]')}`,
    'fences of a document': `\`\`\`md\n${growLines(() => '```js\n')}`,
    'sentences behind fences': growLines(() => '```js\n```That is all.\n'),
    'bullets below numbers': growLines((index) => `${index}. a\n  - b\n`),
    'headings without blanks': growLines(() => '##a#b\n'),
    'growing brackets': growLines((index) => `${'['.repeat(index)}a${']'.repeat(index)}\n`),
    'footnotes that grow': growLines((index) => `[^${index}]: a [^${index}]\n`),
    'definitions that are used': `${growLines((index) => `[${index}]: /${index}\n`)}\n${'[1] '.repeat(300)}`,
    'a table that grows': growLines((index) => `${'|a'.repeat(index)}|\n${'|-'.repeat(index)}|\n`),
    'a formula that grows': growLines((index) => `$${'{'.repeat(index)}x^2${'}'.repeat(index)}$\n`),
    'links of its own kind': growLines((index) => `http://a${'('.repeat(index)} www.a@ a.b@c.\n`),
    'html that grows': growLines((index) => `${'<b '.repeat(index)}\n`),
    'fences in fences': growLines((index) => `${'`'.repeat(3 + (index % 200))}\n`),
  }
  // by the parser's own count, which a slow machine does not change, and roughly by time
  it.each(part(Object.entries(growing), 6))('%s is not parsed longer than its length is worth', (_, text) => {
    const document = limitCpuTime(() => parseInSteps(text), 20_000)
    expect(document.text).toBe(text)
    expect(document.steps).toBeLessThanOrEqual(toMaxSteps(text))
    limitCpuTime(() => getStreamingBlocks(updateDocument(`${text}**a`, document)), 20_000)
    limitCpuTime(() => parseMarkdown(text), 20_000)
  })

  it.each([...units.entries()])(
    'of repeated unit %i, %j, is not parsed longer than its length is worth',
    (index, unit) => {
      const run = unit.repeat(Math.ceil(3_000 / unit.length))
      for (const text of part([run, `**a${run}b`, `- ${run}x`], 3, index))
        limitCpuTime(() => parseMarkdown(text), 4_000)
    },
  )

  const degenerate = [
    ['twenty quotes', `${'> '.repeat(20)}x`],
    ['a long message that takes twice the work of a list', growLines(() => '> - a\n', 100_000)],
    ['a thousand words in bold in one paragraph', '**a** b '.repeat(1_000)],
    ['forty levels of a list', growLines((index) => `${'  '.repeat(Math.min(index, 40))}- a\n`)],
  ] as const
  it.each(part(degenerate, 2))('%s is shown as plain text', (_, text) =>
    expect(parseInSteps(text).blocks.at(-1)?.node).toBeUndefined(),
  )

  it.each([
    ['a list of ten levels', Array.from({ length: 10 }, (_, depth) => `${'  '.repeat(depth)}- a\n`).join('')],
    ['two hundred words in bold in one paragraph', '**a** b '.repeat(200)],
    ['a table of 300 rows', `|a|b|\n|-|-|\n${'|**a**|`b` and [c](https://d.example)|\n'.repeat(300)}`],
    ['sub-items below one item', `1. All:\n${'   - one more **item** with words\n'.repeat(300)}`],
    ['a paragraph of many lines and links', 'see [this](https://a.example) and *that*\n'.repeat(100)],
  ])('%s is formatted', (_, text) => expect(parseInSteps(text).blocks.every(({ node }) => node)).toBe(true))
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
  it.each(part(Object.entries(documents), 8))(
    'of many %s is parsed step by step, and in part only',
    (_, text) => {
      const { blocks, text: parsed } = limitCpuTime(() => parseInSteps(text), 20_000)
      expect(parsed).toBe(text)
      expect(blocks.length).toBeLessThan(5_000)
    },
  )
})
