import { expect, it } from 'vitest'
import { fromMarkdown, isWorse, judgeAnswer, tabulate, type Expectation } from './judge/file-verdict.ts'

const expected: Expectation = {
  file: 'a.docx',
  what: 'a fee',
  type: '',
  must: ['fee', String.raw`/\b80\b/`],
  mustNot: ['70'],
  said: 'hidden',
  refusal: null,
}
const judge = (text: string | undefined, note = 'read in full', more: Partial<Expectation> = {}) =>
  judgeAnswer({ ...expected, ...more }, { text, note })

it.each([
  ['right', 'the fee is 80', 'read in full', {}],
  ['lost', 'the fee is 800', 'read in full', {}],
  ['lost', 'the fee', '1 picture was not read', {}],
  ['lost', 'the fee', 'hidden rows', { said: null }],
  ['lost and said', 'the fee', '2 hidden rows', {}],
  ['wrong', 'the fee is 80, not 70', '2 hidden rows', {}],
  ['refused', undefined, 'too large', {}],
])('an answer is judged %s: %s, %s', (verdict, text, note, more) => {
  expect(judge(text, note, more).verdict).toBe(verdict)
})

it('a loss or a refusal that is said is no reproach, a silent one is beside a reader that is better', () => {
  const [right, lost, wrong, said] = [judge('fee 80'), judge('fee'), judge('70'), judge('fee', 'hidden')]
  const [refused, explained] = [judge(undefined), judge(undefined, 'unpack it', { refusal: 'unpack' })]
  expect([lost, refused, wrong].map((one) => isWorse(one, right))).toEqual([true, true, true])
  expect([said, explained, right].map((one) => isWorse(one, right))).toEqual([false, false, false])
  expect([isWorse(wrong, lost), isWorse(lost, refused), isWorse(lost, wrong)]).toEqual([true, false, false])
  expect([lost.faults, wrong.faults[2]]).toEqual([[String.raw`without /\b80\b/`], 'with 70'])
})

it('tables in Markdown are rows with tabs', () => {
  expect(fromMarkdown('**a**\\_b\n| South | NaN | 7\\|8 |')).toBe('a_b\nSouth\t\t7|8')
})

it('the table has a row for each format, and one for all', () => {
  const result = (file: string, text: string) => ({ file, product: judge('fee 80'), other: judge(text) })
  expect(tabulate([result('a.docx', 'fee'), result('b.docx', '70')]).slice(2)).toEqual([
    '| `.docx` | 2 | 2 / 0 / 0 / 0 / 0 | 0 / 0 / 1 / 1 / 0 |',
    '| all | 2 | 2 / 0 / 0 / 0 / 0 | 0 / 0 / 1 / 1 / 0 |',
  ])
})
