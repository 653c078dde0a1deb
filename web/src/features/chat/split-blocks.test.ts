import { lexer } from 'marked'
import { expect, it } from 'vitest'
import { nothingSplit, splitBlocks, type SplitText } from './split-blocks.ts'

const texts = [
  'One\n\nTwo\n\nThree\n\nFour\n\nFive',
  '1. one\n2. two\n\n   still two\n\n3. three\n\nAfter\n\nMore\n\nEnd',
  '# Title\ntext\n- a\n- b\n\n  c\n\n```ts\nconst a = 1\n\n\nconst b = 2\n```\nend\n\n> quote\nlazy\n\nEnd',
  '| a | b |\n| - | - |\n| 1 | 2 |\n\nText\n===\n\n***\n\nmore\n\n    indented\n\n    code\n\nEnd',
  'Windows\r\n\r\nlines\r\nhere\r\n\r\nEnd\r\n\r\nof\r\n\r\nit',
]

/** Every token but blank lines, with the blank lines that follow it. */
function whole(text: string): string[] {
  const blocks: string[] = []
  for (const token of lexer(text.replaceAll(/\r\n?/g, '\n'))) {
    if (token.type === 'space' && blocks.length > 0) blocks[blocks.length - 1] += token.raw
    else blocks.push(token.raw)
  }
  return blocks
}

it.each(texts)('cuts a growing text like the whole one: %j', (text) => {
  for (const step of [1, 3, 10]) {
    let split: SplitText = nothingSplit
    for (let end = step; end < text.length + step; end += step) split = splitBlocks(text.slice(0, end), split)
    expect([...split.closed, ...split.open].map(({ markdown }) => markdown)).toEqual(whole(text))
  }
})

it('never touches a closed block again', () => {
  const text = texts[0] ?? ''
  const before = splitBlocks(text)
  const after = splitBlocks(`${text}\n\nSix`, before)
  expect(before.closed).toHaveLength(2)
  expect(after.closed.slice(0, 2)).toEqual(before.closed)
  expect(after.closed[0]).toBe(before.closed[0])
})

it('starts over with another text', () => {
  expect(splitBlocks('Other', splitBlocks(texts[0] ?? '')).open).toEqual([{ at: 0, markdown: 'Other' }])
})
