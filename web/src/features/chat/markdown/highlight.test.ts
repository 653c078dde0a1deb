import { expect, it } from 'vitest'
import { findHighlighted, highlight, getLanguageLabel, isPlainText } from './highlight.ts'

const code = 'const a = "x // y" // 1\nconst B1 = new Foo(42) /* open'

it.each(['ts', 'python', 'sql', 'bash', 'json', 'css', 'ruby', 'html', 'diff', 'yaml', 'c++', 'C#', 'rust'])(
  'keeps every character of %s',
  async (language) => {
    const tokens = await highlight(code, language)
    expect(tokens?.map(({ text }) => text).join('')).toBe(code)
    expect(findHighlighted(code, language)).toBe(tokens)
  },
)

it('highlights code', async () => {
  const kinds = (await highlight(code, 'TS'))?.filter(({ kind }) => kind)
  expect(kinds).toEqual([
    { text: 'const', kind: 'keyword' },
    { text: '"x // y"', kind: 'string' },
    { text: '// 1', kind: 'comment' },
    { text: 'const', kind: 'keyword' },
    { text: 'B1', kind: 'type' },
    { text: 'new', kind: 'keyword' },
    { text: 'Foo', kind: 'type' },
    { text: '42', kind: 'number' },
    { text: '/* open', kind: 'comment' },
  ])
})

it('leaves very long code and unknown languages plain', async () => {
  expect(await highlight('1 '.repeat(20_000), 'ts')).toBeUndefined()
  expect(await highlight(code, 'unknown')).toBeUndefined()
  expect(await highlight(code, 'constructor')).toBeUndefined()
})

it('uses the common names of languages', () => {
  expect(
    ['CPP', 'html', 'python3', 'ndjson', 'pgsql', 'svg', 'csv', 'brainfuck', '', 'toml', 'less'].map(
      getLanguageLabel,
    ),
  ).toEqual(['C++', 'HTML', 'Python', 'JSON', 'SQL', 'SVG', 'CSV', 'brainfuck', 'Code', 'TOML', 'Less'])
})

it.each([
  ['', true],
  ['text', true],
  ['notes.txt', true],
  ['md', true],
  ['python', false],
  ['unknown', false],
])('a block of %j holds text of a person: %s', (language, isPlain) =>
  expect(isPlainText(language)).toBe(isPlain),
)
