import { expect, it } from 'vitest'
import { parseInSteps } from './incremental-document.ts'

it.each(['\r\n', '\r'])('a long text whose lines end in %j is parsed to its end', (lineEnd) => {
  const document = parseInSteps(`a${lineEnd}${lineEnd}`.repeat(1_000))
  expect(document.text).toBe('a\n\n'.repeat(1_000))
  expect(document.blocks).toHaveLength(1_000)
})

it.each([
  ['items inside each other', '- a b\n  - c d\n    - e f\n', 900],
  ['items of a letter', '- a\n', 2_900],
  ['lines of a quote', '> A line of a quote with some words in it\n', 2_500],
])('a text of many %s is formatted', (_, unit, count) => {
  expect(parseInSteps(unit.repeat(count)).blocks.map(({ node }) => node?.type)).not.toContain(undefined)
})
