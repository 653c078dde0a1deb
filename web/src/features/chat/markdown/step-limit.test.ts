import { expect, it } from 'vitest'
import { parseMarkdown } from './parse-markdown.ts'
import { limitSteps } from './step-limit.ts'

const fail = (error: Error) => () =>
  limitSteps(1, () => {
    throw error
  })
const overflow = (): number => 1 + overflow()

it('has no result when the stack overflows, in any browser', () => {
  expect(limitSteps(1, overflow)).toBeUndefined()
  // Safari and Firefox
  expect(fail(new RangeError('Maximum call stack size exceeded.'))()).toBeUndefined()
  expect(fail(new Error('too much recursion'))()).toBeUndefined()
})

it.each([new RangeError('Invalid array length'), new RangeError('Invalid code point -2'), new Error('a')])(
  'does not hide %s',
  (error) => {
    expect(fail(error)).toThrow(error)
  },
)

it.each(['> a\n', '- a\n', '1. a\n', '> - a\n'])(
  'a text that begins with %j is counted as later in a text',
  (text) => {
    const first = parseMarkdown(text.repeat(50))?.steps ?? 0
    const later = parseMarkdown(`a\n\n${text.repeat(50)}`)?.steps ?? 0
    expect(first).toBeGreaterThan(0.9 * later)
    expect(first).toBeLessThan(1.1 * later)
  },
)

it('a text that begins with too many quotes has no result', () => {
  expect(parseMarkdown(`${'> '.repeat(16)}a`)).toBeDefined()
  expect(parseMarkdown(`${'> '.repeat(17)}a`)).toBeUndefined()
})
