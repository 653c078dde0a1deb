import { expect, it } from 'vitest'
import { completeMarkdown } from './complete-markdown.ts'

it.each([
  ['plain text', 'plain text'],
  ['so **bold', 'so **bold**'],
  ['so **bold*', 'so **bold**'],
  ['so **bold**', 'so **bold**'],
  ['so **', 'so '],
  ['so *', 'so '],
  ['2 ** 3 is', '2 ** 3 is'],
  ['call `f', 'call `f`'],
  ['call `', 'call '],
  ['see [the docs](https://exam', 'see the docs'],
  ['see [the docs', 'see the docs'],
  ['call `items[i', 'call `items[i`'],
  ['call `items[0]` and `items[i', 'call `items[0]` and `items[i`'],
  ['call `items[i` and [the', 'call `items[i` and the'],
  ['see [the `docs', 'see the `docs`'],
  ['see [`docs`](https://exam', 'see `docs`'],
  ['[0, 1) is half-open', '[0, 1) is half-open'],
  ['see [the docs (old', 'see the docs (old'],
  ['see [the docs](https://example.com) now', 'see [the docs](https://example.com) now'],
  ['| a | b |', ''],
  ['| a | b |\n| -', ''],
  ['| a | b |\n| - | - |\n| 1', '| a | b |\n| - | - |\n| 1'],
  ['text\n| a', 'text'],
  ['```ts\nconst **a', '```ts\nconst **a'],
])('completes %j to %j while the text streams', (text, expected) => {
  expect(completeMarkdown(text)).toBe(expected)
})
