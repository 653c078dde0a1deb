import type { Nodes } from 'mdast'
import { expect, it } from 'vitest'
import { isBeyondDrawing, limitDrawing } from './drawing-limit.ts'
import { formulaTag } from './insert-formulas.ts'
import { parseInSteps } from './incremental-document.ts'
import { getTotalSteps } from './step-limit.ts'

const fill = (part: string, length = 96_000) => part.repeat(Math.ceil(length / part.length)).slice(0, length)
const createTable = (columns: number, length: number) => {
  const row = `|${'a|'.repeat(columns)}\n`
  return `${row}|${'-|'.repeat(columns)}\n${fill(row, length)}`
}

/** What would be drawn of a text: its elements, formulas, blocks of code, and diagrams. */
function countDrawn(text: string) {
  const drawn = { elements: 0, formulas: 0, code: 0, diagrams: 0, coloured: 0, isCut: false }
  const count = (node: Nodes) => {
    drawn.elements += 1
    if ((node.data as { hName?: string } | undefined)?.hName === formulaTag) drawn.formulas += 1
    if (node.type === 'code') drawn.code += 1
    if ('children' in node) node.children.forEach(count)
  }
  for (const { node, isPlainCode } of limitDrawing(parseInSteps(text).blocks, text)) {
    if (node) count(node)
    if (node?.type === 'code' && !isPlainCode)
      if (node.lang === 'mermaid') drawn.diagrams += 1
      else if (node.lang) drawn.coloured += node.value.length
    drawn.isCut ||= !node || isPlainCode === true
  }
  return drawn
}

it.each(
  Object.entries({
    'formulas in a line': fill('$a$ '),
    'formulas in lines': fill('$a$\n\n'),
    'formulas of many letters': fill(`$$\n${'x + '.repeat(100)}y\n$$\n\n`),
    'formulas that repeat a macro': fill(
      String.raw`$\def\a{${'x'.repeat(100)}}\def\b{\a\a\a\a\a}\b\b\b\b\b$` + '\n\n',
    ),
    'blocks of code': fill('```\na\n```\n'),
    'long blocks of code': fill(`\`\`\`js\n${'a()\n'.repeat(7_000)}\`\`\`\n`),
    diagrams: fill('```mermaid\npie\n```\n'),
    'addresses without an end': fill('<a@b.c '),
    addresses: fill('a@b.c '),
    'inline code': fill('`a` '),
    'a wide table': createTable(1_000, 96_000),
    'a wider table': createTable(20_000, 10),
    'a long table': createTable(10, 96_000),
    tables: fill('|a|\n|-|\n\n'),
    footnotes: fill('[^1]\n\n[^1]: a\n\n'),
    lists: fill('- a\n  - b\n    - c\n\na\n\n'),
  }),
)('%s are drawn up to a limit', (_, text) => {
  const steps = getTotalSteps()
  const { elements, formulas, code, diagrams, coloured, isCut } = countDrawn(text)
  expect(isCut).toBe(true)
  // texts stand between elements
  expect(elements).toBeLessThan(25_000)
  expect(formulas).toBeLessThan(1_200)
  expect(code).toBeLessThan(500)
  expect(diagrams).toBeLessThan(20)
  expect(coloured).toBeLessThan(35_000)
  expect(getTotalSteps() - steps).toBeLessThan(5_500_000)
})

it.each(
  Object.entries({
    'a table of 1,000 rows': `|a|b|c|d|e|f|\n|-|-|-|-|-|-|\n${'|one|two|three|four|five|six|\n'.repeat(1_000)}`,
    '600 formulas': 'The number $x$ is *small*.\n\n'.repeat(600),
    'a paragraph of 90,000 characters': 'Hello world. '.repeat(7_000),
    'a paragraph of 100 links, of code and bold': 'See [a](http://b.c), `d` and **e**. '.repeat(100),
    'a script of lectures': `So $f(x) = \\sum_{k=1}^n a_k x^k$ holds.\n\n`.repeat(250),
    '200 blocks of code': '```js\nconst a = 1\nconst b = 2\n```\n\nSo it is.\n\n'.repeat(200),
    '10 diagrams': '```mermaid\nflowchart LR\n a --> b\n```\n\n'.repeat(10),
    'code of 800 lines': `\`\`\`js\n${'const sum = (a, b) => a + b\n'.repeat(800)}\`\`\`\n`,
  }),
)('%s are drawn', (_, text) => {
  expect(countDrawn(text).isCut).toBe(false)
})

it('what is drawn stays drawn while a text grows', () => {
  const text = fill('Take $a$.\n\n', 20_000)
  const countAt = (length: number) => countDrawn(text.slice(0, length)).formulas
  const counts = [5_000, 10_000, 15_000, 20_000].map(countAt)
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  expect(counts.at(-1)).toBeGreaterThan(700)
})

it.each(
  Object.entries({
    'a long table': createTable(10, 24_000),
    'a wide table': createTable(1_000, 96_000),
    'blocks of code': fill('```\na\n```\n', 24_000),
    footnotes: fill('[^1]\n\n[^1]: a\n\n', 24_000),
  }),
)('of %s no more is parsed than is drawn', (_, text) => {
  const before = getTotalSteps()
  const limited = parseInSteps(text, undefined, isBeyondDrawing)
  const between = getTotalSteps()
  const all = parseInSteps(text)
  const stepsOfAll = getTotalSteps() - between
  expect(between - before).toBeLessThan(0.8 * stepsOfAll)
  expect(limitDrawing(limited.blocks, limited.text)).toEqual(limitDrawing(all.blocks, all.text))
  // another text, and a longer one
  expect(parseInSteps('a', limited, isBeyondDrawing).blocks).toHaveLength(1)
  const steps = getTotalSteps()
  const longer = parseInSteps(`${text}\n\nb`, limited, isBeyondDrawing)
  expect(getTotalSteps() - steps).toBeLessThan(stepsOfAll / 10)
  expect(limitDrawing(longer.blocks, longer.text).at(-1)?.source).toMatch(/b$/)
})
