import { expect, it } from 'vitest'
import { splitFences } from './split-fences.ts'

it.each([
  ['plain `a` and ```b``` in a line', [{ text: 'plain `a` and ```b``` in a line' }]],
  [
    'Why?\n```python\nx = 1\n\ny\n```\nThanks',
    [{ text: 'Why?' }, { text: 'x = 1\n\ny', language: 'python' }, { text: 'Thanks' }],
  ],
  ['~~~~ js title\n```\n~~~\n~~~~', [{ text: '```\n~~~', language: 'js' }]],
  [
    '```\na\n```\n\n```\nb\n``` ',
    [
      { text: 'a', language: '' },
      { text: 'b', language: '' },
    ],
  ],
  // not closed, or closed by another mark: as it was typed
  ['a\n```js\nb', [{ text: 'a\n```js\nb' }]],
  ['```js\nb\n~~~', [{ text: '```js\nb\n~~~' }]],
  // four spaces make a line of code of it
  ['```\na\n    ```\n```', [{ text: 'a\n    ```', language: '' }]],
  ['~~~ `x`\na\n~~~', [{ text: 'a', language: '`x`' }]],
  ['````\nb\n```', [{ text: '````\nb\n```' }]],
])('splits %j', (text, parts) => {
  expect(splitFences(text)).toEqual(parts)
})

it('takes time in proportion to the text', () => {
  expect(splitFences('```\n```\n'.repeat(20_000))).toHaveLength(20_000)
})
