import { scryptSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { parseBackupCode, hashBackupCode, createBackupCodes, generateBackupCodes } from './backup-codes.ts'

it('DEC-023 creates ten different codes of ten unambiguous characters', () => {
  const codes = generateBackupCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/)
})

it('DEC-023 stores hashes with one salt per user, and a new salt each time', async () => {
  const [one, other] = await Promise.all([createBackupCodes(), createBackupCodes()])
  expect(one.salt).not.toBe(other.salt)
  expect(new Set(one.hashes).size).toBe(10)
  const [code = ''] = one.codes
  expect(one.hashes).toContain(await hashBackupCode(code, one.salt))
  expect(one.hashes).not.toContain(await hashBackupCode(code, other.salt))
})

it('DEC-023 hashes with scrypt, using 16 MB per guess', async () => {
  const hash = scryptSync('7QK2M9XWTA', 'salt', 32, { N: 16_384, r: 8, p: 1 })
  expect(await hashBackupCode('7QK2M9XWTA', 'salt')).toBe(hash.toString('base64url'))
})

it.each([
  ['7QK2M9XWTA', '7QK2M9XWTA'],
  [' 7qk2m-9xwta ', '7QK2M9XWTA'],
  // as documents and chats write it (https://github.com/silverstripe/silverstripe-mfa/issues/435)
  ['7QK2M\u20119XWTA', '7QK2M9XWTA'],
  ['7QK2M\u20139XWTA', '7QK2M9XWTA'],
  ['\u200e7QK2M\u22129XWTA\u200b', '7QK2M9XWTA'],
  ['OILoil0000', '0110110000'],
  ['7QK2M9XWT', undefined],
  ['7QK2M9XWTAA', undefined],
  ['7QK2M9XW?A', undefined],
  ['', undefined],
])('MFA-11 LIM-05 reads %j as %j', (input, code) => {
  expect(parseBackupCode(input)).toBe(code)
})
