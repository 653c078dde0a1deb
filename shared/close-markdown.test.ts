import { fromMarkdown } from 'mdast-util-from-markdown'
import { expect, it } from 'vitest'
import { fc, limitCpuTime } from '../test/support/fuzz.ts'
import { closeMarkdown } from './close-markdown.ts'

it.each([
  ['```js\na', '```js\na\n```'],
  ['a\n~~~~\n```\n', 'a\n~~~~\n```\n~~~~'],
  ['<!-- a', '<!-- a\n-->'],
  ['<pre>\na', '<pre>\na\n</pre>'],
  ['$$\na', '$$\na\n$$'],
  [
    '<details>\n<summary>S</summary>\n\n```\na',
    '<details>\n<summary>S</summary>\n\n```\na\n```\n\n</details>',
  ],
])('ends %j', (text, closed) => expect(closeMarkdown(text)).toBe(closed))

it.each([
  '```js\na\n```',
  '```\na\n```b\n```',
  '- a\n  ```\n  b',
  '> ```\n> a',
  '<!-- a --> b',
  '<!-->',
  '<?>',
  '$$\na\n$$',
  '$$ is slang',
  'a `b',
  '<details>\n\na\n\n</details>',
  'a < b',
  '    ```',
  '- a\nlazy\n  ```\n  b',
])('a complete text stays: %j', (text) => expect(closeMarkdown(text)).toBe(text))

it('what follows a closed text is no part of it, by CommonMark', () => {
  const marks = '``` ~~~ ```` ```js <!-- --> <pre> </pre> <? <![CDATA[ ]]> <!A <div> - --- *** a `'.split(' ')
  const blanks = ['- ', '1. ', '* ', '> ', '# ', ' ', '  ', '   ', '    ', '\t', '\n', '\n', '\n', '\n\n']
  const piece = fc.constantFrom(...marks, ...blanks)
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const text = pieces.join('')
      const tree = fromMarkdown(`${closeMarkdown(text)}\n\n## End\n`)
      expect(tree.children.at(-1)).toMatchObject({ type: 'heading', children: [{ value: 'End' }] })
    }),
    { numRuns: 2_000 },
  )
})

it.each(['```\n', '<!--\n', '- ', '- - a\n', '$$\n', '<details>', '\t', '* * *\n', '1. a\n   '])(
  'a text of 200,000 characters of %j is closed in time',
  (unit) => {
    const text = unit.repeat(200_000 / unit.length)
    expect(limitCpuTime(() => closeMarkdown(text), 1_000).length).toBeGreaterThanOrEqual(text.length - 1)
  },
)
