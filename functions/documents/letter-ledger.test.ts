import { expect, test } from 'vitest'
import { haveSameLetters, LetterLedger } from './letter-ledger.ts'
import { formatWholePage } from './pdf-lines.ts'

const item = (str: string, x: number, y: number) => ({
  str,
  transform: [10, 0, 0, 10, x, y],
  width: str.length * 5,
  height: 10,
  dir: 'ltr',
})

test('letters are counted in any order, without white space', () => {
  expect(haveSameLetters(['10.20%', ' 278'], ['278\t10.20%'])).toBe(true)
  expect(haveSameLetters(['11'], ['1'])).toBe(false)
  expect(haveSameLetters(['1'], ['11'])).toBe(false)
})

test('what is left out or added on purpose has a reason', () => {
  const ledger = new LetterLedger()
  ledger.receive('10 3 3')
  ledger.drop('drawnTwice', '3')
  ledger.write('marks', '^')
  ledger.hand('10^3')
  expect(ledger.isBalanced).toBe(true)
  expect([...ledger.reasons]).toEqual([
    ['drawnTwice', 1],
    ['marks', 1],
  ])
})

test('two texts in one cell of a box are both kept, in a table without its walls', () => {
  const walls = [0, 100, 300].map((x) => ({ x, low: 600, high: 720 }))
  const items = [
    item('Sales Tax', 5, 680),
    item('10.20%', 110, 680),
    item('278.46', 260, 680),
    item('TOTAL', 5, 660),
    item('803.46', 260, 660),
  ]
  const { text, ledger, plain } = formatWholePage(items, { walls })
  expect(ledger.isBalanced).toBe(true)
  expect(text).toBe('Sales Tax\t10.20%\t278.46\nTOTAL\t\t803.46')
  expect(plain).toBeUndefined()
})
