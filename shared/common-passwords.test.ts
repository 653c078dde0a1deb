import { expect, it } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'

it.each([
  ['password', true],
  ['PassWord', true],
  // in full width
  ['ｐａｓｓｗｏｒｄ', true],
  ['123456', true],
  // one of the rarest on the list
  ['tottenham', true],
  ['password is common', false],
  ['correct horse', false],
  // too short to be chosen
  ['12345', false],
  ['', false],
])('%j is common: %s', (password, isCommon) => {
  expect(isCommonPassword(password)).toBe(isCommon)
})
