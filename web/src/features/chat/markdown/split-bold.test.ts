import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitBold } from './split-bold.ts'

it.each([
  ['', ['']],
  ['plain', ['plain']],
  ['a **b** c', ['a ', 'b', ' c']],
  ['**b**', ['', 'b', '']],
  ['**b ** c**', ['', 'b ** c', '']],
  ['** b**', ['** b**']],
  ['2 ** 3', ['2 ** 3']],
  ['**a **b', ['**a **b']],
  ['****a****', ['', '**a', '**']],
])('splits %j', (text, parts) => {
  expect(splitBold(text)).toEqual(parts)
})

it('splits any text as the shorter but slow expression does', () => {
  const text = fc.array(fc.constantFrom('*', '**', 'a', ' ', '\n'), { maxLength: 20 })
  fc.assert(
    fc.property(text, (units) => {
      const all = units.join('')
      expect(splitBold(all)).toEqual(all.split(/\*\*(?=\S)([^]*?\S)\*\*/g))
    }),
  )
})
