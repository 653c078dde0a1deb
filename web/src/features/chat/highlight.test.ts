import { expect, it } from 'vitest'
import { highlight } from './highlight.ts'

const code = 'const a = "x // y" // 1\nconst B1 = Foo(42) /* open'

it.each(['ts', 'python', 'sql', 'bash', 'json', 'css', 'unknown', ''])(
  'keeps every character of %s',
  (language) => {
    expect(
      highlight(code, language)
        .map(({ text }) => text)
        .join(''),
    ).toBe(code)
  },
)

it('colours the parts of code', () => {
  const kinds = highlight(code, 'TS').filter(({ kind }) => kind)
  expect(kinds).toEqual([
    { text: 'const', kind: 'keyword' },
    { text: '"x // y"', kind: 'string' },
    { text: '// 1', kind: 'comment' },
    { text: 'const', kind: 'keyword' },
    { text: 'Foo', kind: 'type' },
    { text: '42', kind: 'number' },
    { text: '/* open', kind: 'comment' },
  ])
})

it('leaves very long code plain', () => {
  expect(highlight('1 '.repeat(20_000), 'ts')).toHaveLength(1)
})
