import { expect, it } from 'vitest'
import { getDirection } from './languages.ts'

it.each([
  ['ar', 'rtl'],
  // as the page formats numbers
  ['ar-EG-u-nu-latn', 'rtl'],
  ['pt-BR', 'ltr'],
  ['de-AT', 'ltr'],
  // other languages that begin with the same letters
  ['arn', 'ltr'],
  ['fil', 'ltr'],
  ['zh-Hant', 'ltr'],
  ['constructor', 'ltr'],
  ['', 'ltr'],
])('%s is written %s', (locale, direction) => {
  expect(getDirection(locale)).toBe(direction)
})
