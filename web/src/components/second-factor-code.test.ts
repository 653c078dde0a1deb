import { expect, it } from 'vitest'
import { normalizeBackupCode, validateCode } from './second-factor-code.tsx'

it.each([
  ['as it is shown', 'ABCDE-12345', 'ABCDE12345'],
  ['in small letters, with spaces', ' abcde 12345 ', 'ABCDE12345'],
  ['full-width, as Japanese input methods write it', 'ＡＢＣｄｅ－１２３４５', 'ABCDE12345'],
  ['with the wide space of these input methods', 'ABCDE　12345', 'ABCDE12345'],
  ['with more than belongs to it', 'ABCDE12345678', 'ABCDE12345'],
])('a backup code can be typed %s', (_name, typed, code) => {
  expect(normalizeBackupCode(typed)).toBe(code)
  expect(validateCode(normalizeBackupCode(typed), { isBackupCode: true })).toBeUndefined()
})
